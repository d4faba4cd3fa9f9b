// The parser of YAML for whole objects: js-yaml, which is part of this script. It is loaded only if a listing has YAML.
globalThis.ksys ??= {};
// The core schema has no dates. A repeated key replaces the earlier one, as in JSON.
ksys.yaml = (text) => jsyaml.load(text, { schema: jsyaml.CORE_SCHEMA, json: true });
