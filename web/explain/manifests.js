// Finds the objects in JSON and YAML, complete or truncated. It follows src/listing/manifests/ rule for rule; the reasons are documented there.
globalThis.ksys ??= {};
{
  // JSON strings, with the colon after a key, and the structural characters around them.
  const TOKEN = /"([^"\\\n]*(?:\\.?[^"\\\n]*)*)"?(?=\s*(:?))|[{}[\]\n]/g;
  // The fields that determine the kind of an object.
  const OF_KIND = /^(kind|apiVersion)$/;
  // The first lines of JSON objects.
  const JSON_BEGINS = /^([[{]$|\{ ?"|\[\{)/;
  // The maximum nesting depth of an object whose fields are read, and the depth of the items of a list.
  const MAX_DEPTH = 127, LISTED = 2;

  function unquoted(text, quote = /["']/) {
    let start = 0, end = text.length;
    while (quote.test(text[end - 1])) end--;
    while (start < end && quote.test(text[start])) start++;
    return text.slice(start, end);
  }

  /** Sets a field of an object from its metadata, with the line of its name. */
  function put(object, key, value, line) {
    if (key === "namespace") object.namespace = value;
    if (key === "name") Object.assign(object, { name: value, line });
  }

  /** Returns the API version and the kind of the items of a list such as `PodList`, whose items do not state them. */
  const typeOfItems = ({ apiVersion, kind = "" } = {}) => /.List$/.test(kind) && { apiVersion, kind: kind.slice(0, -4) };
  /** Returns an item with its own kind, or with that of the list. */
  const item = (object, type) => object.kind === undefined && type ? { ...object, ...type } : object;

  /** Parses JSON up to its closing bracket or the last line. Returns the number of lines and the objects. */
  function json(lines) {
    const open = [], found = [];
    const text = lines.join("\n");
    let line = 0, top;
    for (const { 0: token, 1: value, 2: colon, index } of text.matchAll(TOKEN)) {
      const own = open.at(-1), parent = open.at(-2);
      if (token === "\n") line++;
      else if ("{[".includes(token)) {
        open.push({ list: token === "[", start: index, depth: 1 });
        top ??= open[0];
        for (let at = 0; at < open.length && at <= LISTED; at++) open[at].depth = Math.max(open[at].depth, open.length - at);
      }
      else if ("}]".includes(token)) {
        open.pop();
        const [root, list, more] = open;
        // A template inside an object has a name, too; only listed objects count.
        if (!root || (list ? !more && list.list && root.key === "items" : root.list)) {
          const source = text.slice(own.start, index + 1);
          found.push(Object.assign(own, { value: () => own.depth <= MAX_DEPTH ? JSON.parse(source) : undefined }));
        }
        if (!root) break;
      } else if (own.list) continue;
      else if (colon) own.key = value;
      else {
        if (OF_KIND.test(own.key)) own[own.key] = value;
        if (parent?.key === "metadata" && !parent.list) put(parent, own.key, value, line);
      }
    }
    const type = typeOfItems(top), [root, list] = open;
    // An object that is truncated at the end counts, too.
    const last = open.findLastIndex(({ kind, name }) => (kind ?? name) !== undefined);
    const isItem = last === 1 ? root.list : last === 2 && list.list && root.key === "items";
    const whole = found.map((object) => item(object, type)).filter(({ kind }) => kind !== undefined);
    return [line + 1, [...whole, isItem ? item(open[last], type) : open[last]]];
  }

  /** Returns a function that parses some lines of YAML: the object, or the first item of a list. Without the parser of YAML, there is no value. */
  const valueOf = (lines, from, to) => () => {
    const value = ksys.yaml?.(lines.slice(from, to).join("\n"));
    return Array.isArray(value) ? value[0] : value;
  };

  /** Parses YAML; returns the same as `json`. It reads up to the first line of JSON, or the last line. */
  function yaml(text) {
    // A stream may continue with JSON.
    const end = text.findIndex((line, at) => at && line[0] !== " " && JSON_BEGINS.test(line.trim())), lines = end < 0 ? text : text.slice(0, end);
    // `list`, `own` and `inner`: the columns of the dashes before objects, of an object's keys, and of the keys of its metadata.
    // `type` is what the list of the current document states, and `start` the index of the first object of the document.
    let list, own, inner, inMetadata, afterItems, object, type = {}, start = 0, hasNames = false;
    const found = [];
    const finish = () => {
      if (object?.name !== undefined) hasNames = true;
      // What comes before the items belongs to the list.
      else if (!hasNames) Object.assign(type, object);
    };
    // `at`: the first line after the last object; `from`: the first line of the next one.
    const next = (at, from = at) => {
      finish();
      if (object) object.value = valueOf(lines, object.from, at);
      found.push(object = { from });
      inner = inMetadata = undefined;
    };
    const finishDocument = (at) => {
      finish();
      object.value = valueOf(lines, object.from, at);
      for (let at = start; at < found.length; at++) found[at] = item(found[at], typeOfItems(type));
      [type, start, hasNames, object] = [{}, found.length, false];
    };
    next(0);
    for (const [at, line] of lines.entries()) {
      let [all, { length: column }, dash, key, colon, value] = /^( *)((?:- +)?)([^:]*)(:?)(.*)/.exec(line.trimEnd());
      if (!all || (!dash && key[0] === "#")) continue;
      if (!dash && key === "---" && !colon) {
        finishDocument(at);
        next(at, at + 1);
        list = own = afterItems = undefined;
        continue;
      }
      if (dash) {
        if (own === undefined || afterItems) list ??= column;
        const isObject = list === column;
        column += dash.length;
        if (isObject) {
          next(at);
          own = column;
        }
      }
      own ??= column;
      afterItems = false;
      if (!colon) continue;
      const text = unquoted(value.trim());
      // A key of the list itself.
      if (column <= list) {
        next(at);
        if (OF_KIND.test(key)) type[key] = text;
      } else if (column === own) {
        inMetadata = key === "metadata" && !text;
        inner = undefined;
        if (OF_KIND.test(key)) object[key] = text;
        afterItems = key === "items" && list === undefined;
      } else if (inMetadata && column > own && (inner ??= column) === column && text) put(object, key, text, at);
    }
    finishDocument(lines.length);
    return [lines.length, found];
  }

  /** Returns what a whole object of a kind states; undefined if it is incomplete, or no valid JSON or YAML. */
  function details(kind, value) {
    try {
      return ksys.objects.details(kind, value?.());
    } catch {}
  }

  ksys.manifests = { json, yaml, details, unquoted, JSON_BEGINS };
}
