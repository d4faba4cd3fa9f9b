// Whose name it is: the same as the recogniser of src/listing.rs with src/listing/pattern.rs and relatives.rs, rule for rule (see there for the reasons).
{
  // A shorter beginning of a name says too little.
  const LEAST_BEGINNING = 6;
  // What a letter of literal text counts, more than all that varies.
  const LETTER = 1000;

  // Most patterns end alike, and to make an expression takes longer than to use it.
  const expressions = new Map();
  const whole = (expression) => entry(expressions, expression, () => new RegExp(`^(?:${expression})$`));

  /** What a map has at a key; `make` makes it if there is nothing. */
  function entry(map, key, make) {
    if (!map.has(key)) map.set(key, make());
    return map.get(key);
  }

  /** Whether several patterns are of one component. */
  const isOne = (patterns) => patterns.every((pattern) => pattern.component === patterns[0].component);

  /** What tells whose a row is, from the facts of a guide. */
  ksys.recogniser = ({ components, parts, literal, derived, tables }) => {
    const random = whole(parts.random.whole);
    const part = (token) => token[0] === "{" ? parts[token.slice(1, -1)] : undefined;

    /** The names of a kind of row, by a template such as `coredns-{template}-{random}`. */
    function nameOf(template, kind = "", appended = []) {
      const [prefix] = template.split("{", 1), suffix = template.split("}").at(-1);
      const rest = whole(template.slice(prefix.length).replace(/\{.*?\}|\./g, (token) => part(token)?.whole ?? "\\."));
      const tokens = template.match(/\{.*?\}|[^{]+/g);
      return {
        kind: kind.toLowerCase(), appended, template,
        // How well it fits: more literal text is better, then narrower parts.
        fit: tokens.reduce((sum, token) => sum + (part(token)?.narrowness ?? token.length * LETTER + literal), 0),
        is: (text) => text.startsWith(prefix) && text.endsWith(suffix) && rest.test(text.slice(prefix.length)),
      };
    }

    // In which ways the names of a row can fit one that was printed.
    const exactly = (text) => (name) => name.is(text);
    /** As the beginning of one; the last parts may not belong to it. */
    const begins = (text, without = 0) => (name) => {
      const tokens = () => name.template.match(/\{.*?\}|./g).slice(0, -without || undefined);
      name[without] ??= whole(tokens().reduceRight((rest, token) => {
        const { beginning, whole } = part(token) ?? { whole: token.replace(".", "\\.") };
        return `(?:${beginning ?? whole}|${whole}${rest})?`;
      }, ""));
      return name[without].test(text);
    };
    /** As the API server shortens it, who of a longer name keeps the beginning before the random part. */
    function shortened(text) {
      const fits = random.test(text.slice(tables.shortened)) && begins(text.slice(0, tables.shortened), 1);
      // What begins with something that varies begins like everything.
      return (name) => fits && /^[^{].*\{random}$/.test(name.template) && fits(name);
    }

    /** The pattern of an object and of what controllers make from it. */
    function patternOf(component, entry, [kind, name, namespace, needsNamespace, providers]) {
      const rows = derived[kind] ?? [[kind, []]];
      const template = ([, appended]) => [name, ...appended.map((part) => `{${part}}`)].join("-");
      const own = template(rows[0]), [prefix] = name.split("{", 1);
      let names;
      /** The best of the names that fit a row, of equally good ones the last; nothing if none does. */
      function fit(row, test) {
        const isElsewhere = () => (namespace && namespace !== row.namespace) || (!row.kind && tables.cluster_scoped.includes(kind));
        if (row.namespace === undefined ? needsNamespace : isElsewhere()) return;
        names ??= rows.map((row) => nameOf(template(row), ...row));
        const of = row.kind?.toLowerCase();
        let best;
        for (const name of names) if ((of ?? name.kind) === name.kind && !(best?.fit > name.fit) && test(name)) best = name;
        return best;
      }
      /** The name of the object itself in the name of a row: `coredns` of `coredns-5d78c9869d-x8k2p`. */
      function objectOf(row) {
        const text = row.name, found = fit(row, exactly(text));
        if (!found) return own === prefix && fit(row, shortened(text)) ? own : withoutRandom(row);
        const words = text.split("-"), beginning = (count) => words.slice(0, count).join("-");
        // The name of a Node has dashes of its own.
        const ofNode = `${found.appended}` === "node" && words.map((_, at) => beginning(at + 1)).find(nameOf(name).is);
        return ofNode || beginning(words.length - found.appended.length);
      }
      /** What creates the object of a row: the object of the row before it in the rows of the kind. */
      function controllerOf(row) {
        const found = fit(row, exactly(row.name)) ?? fit(row, shortened(row.name)) ?? fit(row, () => row.kind || !rows[1]);
        return kind === "StaticPod" ? "kubelet" : rows[names.indexOf(found) - 1]?.[0];
      }
      const isAt = (provider) => !providers.length || providers.includes(provider);
      return { component, entry, order: order++, kind, kinds: rows.map(([of]) => of), namespace, providers, prefix, fit, objectOf, controllerOf, isAt };
    }

    /** The name of a row without what the API server or a controller made up at its end. */
    function withoutRandom({ kind = "Pod", name }) {
      const part = { __proto__: null, Pod: "random", EndpointSlice: "random", ControllerRevision: "hash", Secret: name.includes("-token-") && "random" }[kind];
      return part ? whole(`(.*)-${parts[part].whole}`).exec(name)?.[1] ?? name : name;
    }

    /** The name without the operating system and the architecture at its end; nothing if it has none. */
    const original = (name = "") => whole(`(.+?)(?:-(?:${tables.copies.join("|")}))+`).exec(name)?.[1];

    /** The rows from which a row follows, the nearest first. */
    function relatives(row) {
      const { kind = "Pod", name } = row;
      const without = withoutRandom(row), base = without === name ? undefined : without;
      const scaled = [name, "Deployment", "StatefulSet", "DaemonSet"];
      const [of, ...kinds] = {
        __proto__: null,
        DaemonSet: [original(name), kind],
        // Only DaemonSets have copies; Kubernetes 1.22 put `--1` behind the names of Jobs.
        Pod: /--1$/.test(base) ? [base.slice(0, -3), "Job"] : [original(base), "DaemonSet"],
        Endpoints: [name, "Service"],
        EndpointSlice: [base, "Service"],
        ControllerRevision: [base, "DaemonSet", "StatefulSet"],
        Secret: [/^(.*)-token$/.exec(base)?.[1], "ServiceAccount"],
        PodDisruptionBudget: scaled,
        HorizontalPodAutoscaler: scaled,
      }[kind] ?? [];
      return of === undefined ? [] : kinds.map((kind) => ({ ...row, kind, name: of }));
    }

    let order = 0;
    const byComponent = components.map(({ listing }, component) => listing.map((of, entry) => patternOf(component, entry, of)));
    // By a kind of their rows, for rows that have one, and the first letters of their prefixes.
    const near = new Map();
    for (const pattern of byComponent.flat()) {
      for (const kind of [undefined, ...pattern.kinds]) {
        const letters = entry(near, kind?.toLowerCase(), () => new Map());
        entry(letters, pattern.prefix.slice(0, LEAST_BEGINNING), () => []).push(pattern);
      }
    }
    const alike = ({ kind, name }, length) => near.get(kind?.toLowerCase())?.get(name.slice(0, length)) ?? [];
    /** The patterns whose beginning is that of a name. */
    function like(row) {
      const found = [];
      for (let length = 0; length <= Math.min(row.name.length, LEAST_BEGINNING); length++) {
        for (const pattern of alike(row, length)) if (row.name.startsWith(pattern.prefix)) found.push(pattern);
      }
      return found;
    }
    /** Those of some patterns that fit a row, in order, with how well they do. */
    function find(row, test, patterns) {
      const found = [];
      for (const pattern of patterns) {
        const name = pattern.fit(row, test);
        if (name) found.push({ pattern, fit: name.fit });
      }
      return found.sort((a, b) => a.pattern.order - b.pattern.order);
    }

    /** The ways in which patterns may fit a row, the surest first. */
    function* ways(row) {
      const { name, cut } = row;
      const candidates = like(row);
      yield find(row, exactly(name), candidates);
      yield find(row, shortened(name), candidates);
      // What begins with something that varies begins like everything.
      if (cut) yield find(row, begins(name), candidates.filter((pattern) => pattern.prefix));
      if (cut && name.length >= LEAST_BEGINNING) {
        // The patterns of the only component whose names begin so.
        const found = find(row, () => true, alike(row, LEAST_BEGINNING).filter((pattern) => pattern.prefix.startsWith(name)));
        if (isOne(found.map((one) => one.pattern))) yield found;
      }
      for (const other of relatives(row)) yield find(other, exactly(other.name), like(other));
    }

    /** Whose a row may be: the patterns that fit it, in the first way in which any does. */
    function fitting(row) {
      // No object has such a name, and looking for one in it would take long.
      if (row.name.length <= tables.longest) for (const found of ways(row)) if (found.length) return found;
      return [];
    }

    /** The best of the patterns that fit a row. Those that are not seen at a provider do not count unless nothing else fits. */
    function choose(fitting, provider) {
      const here = fitting.filter((one) => provider === undefined || one.pattern.isAt(provider)), candidates = here.length ? here : fitting;
      const top = Math.max(...candidates.map((one) => one.fit));
      return candidates.filter((one) => one.fit === top).map((one) => one.pattern);
    }

    return { fitting, choose, isOne, of: (component) => byComponent[component] };
  };
}
