// Finds the component of a row by its name. It follows the `Recogniser` of src/listing.rs, with src/listing/pattern.rs and relatives.rs, rule for rule; the
// reasons are documented there.
{
  // A truncated name of fewer characters is too ambiguous.
  const LEAST_BEGINNING = 6;
  // The fit of a character of literal text, greater than that of all variable parts.
  const LETTER = 1000;
  // This many objects of a component show that a table without namespaces is that of its namespace.
  const ENOUGH = 2;
  // This many objects of a component in several of its namespaces show that a listing has objects of all its namespaces.
  const ENOUGH_IN_SEVERAL = 3;
  // The most words of the name of a Helm release.
  const MOST_RELEASE_WORDS = 3;

  // A cache: most patterns have the same suffixes, and compiling an expression takes longer than matching.
  const expressions = new Map();
  const whole = (expression) => entry(expressions, expression, () => new RegExp(`^(?:${expression})$`));

  /** Returns the value of a key in a map; inserts the result of `make` if there is none. */
  function entry(map, key, make) {
    if (!map.has(key)) map.set(key, make());
    return map.get(key);
  }

  /** Whether all patterns belong to one component. */
  const isOne = (patterns) => patterns.every((pattern) => pattern.component === patterns[0].component);

  /** Returns a recogniser for the patterns in the explain data. */
  ksys.recogniser = ({ components, parts, literal, derived, tables }) => {
    const random = whole(parts.random.whole);
    const part = (token) => token[0] === "{" ? parts[token.slice(1, -1)] : undefined;

    /** Returns the matcher for the names of one kind of row, from a template such as `coredns-{template}-{random}`. */
    function nameOf(template, kind = "", appended = []) {
      const [prefix] = template.split("{", 1), suffix = template.split("}").at(-1);
      const rest = whole(template.slice(prefix.length).replace(/\{.*?\}|\./g, (token) => part(token)?.whole ?? "\\."));
      const tokens = template.match(/\{.*?\}|[^{]+/g);
      return {
        kind: kind.toLowerCase(), appended, template,
        // More literal text is a better fit, then narrower parts.
        fit: tokens.reduce((sum, token) => sum + (part(token)?.narrowness ?? token.length * LETTER + literal), 0),
        is: (text) => text.startsWith(prefix) && text.endsWith(suffix) && rest.test(text.slice(prefix.length)),
      };
    }

    // The ways in which a printed name can fit.
    const exactly = (text) => (name) => name.is(text);
    /** As a truncated name; `without` is the number of parts at the end that are ignored. */
    const begins = (text, without = 0) => (name) => {
      const tokens = () => name.template.match(/\{.*?\}|./g).slice(0, -without || undefined);
      name[without] ??= whole(tokens().reduceRight((rest, token) => {
        const { beginning, whole } = part(token) ?? { whole: token.replace(".", "\\.") };
        return `(?:${beginning ?? whole}|${whole}${rest})?`;
      }, ""));
      return name[without].test(text);
    };
    /** As a name that the API server has shortened: of a longer name it keeps the beginning before the random suffix. */
    function shortened(text) {
      const fits = random.test(text.slice(tables.shortened)) && begins(text.slice(0, tables.shortened), 1);
      // A pattern that begins with a variable part would fit every name.
      return (name) => fits && /^[^{].*\{random}$/.test(name.template) && fits(name);
    }

    /** Returns the pattern of an object and of the objects that controllers create from it. */
    function patternOf(component, entry, [kind, name, namespace, needsNamespace, providers]) {
      let whole;
      /** Returns the matcher for the name of the object itself. */
      const object = () => whole ??= nameOf(name);
      const isIn = (row) => row.namespace === undefined ? !needsNamespace : !namespace || namespace === row.namespace;
      const rows = derived[kind] ?? [[kind, []]];
      const template = ([, appended]) => [name, ...appended.map((part) => `{${part}}`)].join("-");
      const own = template(rows[0]), [prefix] = name.split("{", 1);
      let names;
      /** Returns the best matcher that fits a row, the last one of equals; undefined if none fits. */
      function fit(row, test) {
        const isElsewhere = () => (namespace && namespace !== row.namespace) || (!row.kind && tables.cluster_scoped.includes(kind));
        if (row.namespace === undefined ? needsNamespace : isElsewhere()) return;
        names ??= rows.map((row) => nameOf(template(row), ...row));
        const of = row.kind?.toLowerCase();
        let best;
        for (const name of names) if ((of ?? name.kind) === name.kind && !(best?.fit > name.fit) && test(name)) best = name;
        return best;
      }
      /** Returns a row in the namespace that the pattern needs, if it has none. */
      const named = (row) => needsNamespace && row.namespace === undefined ? { ...row, namespace } : row;
      /** Returns the fit of a row whose generated suffixes are masked. */
      function fitMasked(row) {
        if (!isIn(row) || !(row.kind === undefined || rows.some(([of]) => of.toLowerCase() === row.kind.toLowerCase()))) return;
        if (object().is(row.name)) return object().fit;
        names ??= rows.map((row) => nameOf(template(row), ...row));
        const fits = names.filter((of) => of.kind !== "pod" && of.is(row.name)).map(({ fit }) => fit);
        return fits.length ? Math.max(...fits) : undefined;
      }
      /** Returns the fit of the name of a workload or a ServiceAccount, whatever the kind of the row. */
      const fitObject = (row) => (kind === "ServiceAccount" || rows.some(([of]) => of === "Pod")) && isIn(row) && object().is(row.name) ? object().fit : undefined;
      /** Returns the fit of a row without a namespace if its object is in the namespace that the pattern needs. */
      const fitUnnamed = (row) => named(row) === row ? undefined : fit(named(row), exactly(row.name))?.fit;
      /** Returns the fit of a row in the namespace of the pattern. */
      const fitInNamespace = (row) => namespace && namespace === row.namespace ? fit(row, exactly(row.name))?.fit : undefined;
      /** Returns the fit of a row whose name has lost the name of a Helm release. */
      function fitRelease(row) {
        const where = row.namespace;
        if (own !== prefix || own.split("-").length < 3) return;
        if (where === undefined || [namespace, "kube-system", row.release].includes(where) || own.startsWith(where)) return fit(row, exactly(row.name))?.fit;
      }
      /** Returns the fit of a row in the namespace of the pattern whose name has lost a suffix that was edited by hand. */
      const fitEdited = (row) => namespace && namespace === row.namespace ? fitMasked(row) : undefined;
      /** Whether it fits a row in another namespace; see src/listing/pattern.rs. */
      function isElsewhere(row) {
        const here = row.namespace, isWorkload = kind !== "StaticPod" && rows.some(([of]) => of === "Pod"), { id } = components[component];
        if (needsNamespace || own !== prefix || !isWorkload || !namespace || here === undefined || here === namespace) return false;
        const joined = (name) => name.replaceAll("-", ""), isIn = (name) => joined(here).includes(joined(name));
        const isEvidence = own.includes("-") || own === id || isIn(id) || isIn(own);
        const atHome = { ...row, namespace };
        return isEvidence && (row.masked ? fitMasked(atHome) : fit(atHome, exactly(row.name))) !== undefined;
      }
      /** Returns the name of the object itself in the name of a row: `coredns` of `coredns-5d78c9869d-x8k2p`. */
      function objectOf(row) {
        const text = row.name, found = fit(named(row), exactly(text));
        if (!found) return own === prefix && fit(named(row), shortened(text)) ? own : withoutRandom(row);
        const words = text.split("-"), beginning = (count) => words.slice(0, count).join("-");
        // The name of a Node contains dashes itself.
        const ofNode = `${found.appended}` === "node" && words.map((_, at) => beginning(at + 1)).find(object().is);
        return ofNode || beginning(words.length - found.appended.length);
      }
      /** Returns the kind that creates the object of a row: the one before it in the rows of the pattern. */
      function controllerOf(of) {
        const row = named(of), found = fit(row, exactly(row.name)) ?? fit(row, shortened(row.name)) ?? fit(row, () => row.kind || !rows[1]);
        return kind === "StaticPod" ? "kubelet" : rows[names?.indexOf(found) - 1]?.[0];
      }
      const isAt = (provider) => !providers.length || providers.includes(provider);
      return { component, entry, order: order++, kind, kinds: rows.map(([of]) => of), namespace, providers, prefix, fit, fitMasked, fitObject, fitUnnamed, fitInNamespace, fitRelease, fitEdited, isElsewhere, objectOf, controllerOf, isAt };
    }

    /** Returns the name of a row without the random suffix of its kind. */
    function withoutRandom({ kind = "Pod", name }) {
      const part = { __proto__: null, Pod: "random", EndpointSlice: "random", ControllerRevision: "hash", Secret: name.includes("-token-") && "random" }[kind];
      return part ? whole(`(.*)-${parts[part].whole}`).exec(name)?.[1] ?? name : name;
    }

    /** Returns the name without the operating system and the architecture at its end; undefined if it has none. */
    const original = (name = "") => whole(`(.+?)(?:-(?:${tables.copies.join("|")}))+`).exec(name)?.[1];

    /** Returns the name of the Deployment of a Pod whose suffix was shortened by hand. */
    function shortenedByHand({ kind, name }) {
      const [, before, last] = /^(.*)-([^-]*)$/.exec(name) ?? [];
      if (kind === undefined || before === undefined) return;
      if (whole(parts.template.whole).test(last)) return before;
      if (random.test(last)) return /^(.*)-(?=[a-z]*\d)[a-z\d]{3,5}$/.exec(before)?.[1] ?? before;
    }

    /** Returns the Deployment of a Pod whose suffix was replaced by hand; undefined if it was not. */
    function withEditedHash(row) {
      const [, name, hash] = row.kind === "Pod" && row.namespace !== undefined && /^(.*)-([a-z\d]{6,10})-[a-z\d]{5}$/s.exec(row.name) || [];
      // A word can have two digits.
      return /\d.*\d.*\d/.test(hash) ? { ...row, kind: "Deployment", name } : undefined;
    }

    /** Returns a Pod without a suffix that was shortened or replaced by hand; undefined if it has none. */
    function withEditedSuffix(row) {
      const [, name] = row.kind === "Pod" && row.namespace !== undefined && /^(.*)-(?=[a-z]*\d)(?=\d*[a-z])(?!v\d)[a-z\d]{4,8}$/s.exec(row.name) || [];
      return name === undefined ? undefined : { ...row, name };
    }

    /** Returns the rows without the name of a Helm release at the beginning of their name. */
    function withoutRelease(row) {
      if (!/^(Pod|ReplicaSet|Deployment|DaemonSet|StatefulSet)$/.test(row.kind)) return [];
      const words = row.name.split("-");
      return words.slice(1, MOST_RELEASE_WORDS + 1).map((_, at) => ({ ...row, release: words.slice(0, at + 1).join("-"), name: words.slice(at + 1).join("-") }));
    }

    /** Returns the rows that a row may follow from, the most likely first. */
    function relatives(row) {
      const { kind = "Pod", name } = row;
      const without = withoutRandom(row), base = without === name ? undefined : without;
      const scaled = [name, "Deployment", "StatefulSet", "DaemonSet"];
      const [of, ...kinds] = {
        __proto__: null,
        DaemonSet: [original(name), kind],
        // Only DaemonSets have copies. Kubernetes 1.22 appended `--1` to the names of Jobs.
        Pod: /--1$/.test(base) ? [base.slice(0, -3), "Job"] : original(base) === undefined ? [shortenedByHand(row), "Deployment"] : [original(base), "DaemonSet"],
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
    // The patterns by kind (undefined for rows without one), then by the first characters of their prefix.
    const near = new Map();
    for (const pattern of byComponent.flat()) {
      for (const kind of [...tables.only_typed.includes(pattern.kind) ? [] : [undefined], ...pattern.kinds]) {
        const letters = entry(near, kind?.toLowerCase(), () => new Map());
        entry(letters, pattern.prefix.slice(0, LEAST_BEGINNING), () => []).push(pattern);
      }
    }
    const alike = ({ kind, name }, length) => near.get(kind?.toLowerCase())?.get(name.slice(0, length)) ?? [];
    /** Returns the patterns whose literal prefix the name of a row begins with. */
    function like(row) {
      const found = [];
      for (let length = 0; length <= Math.min(row.name.length, LEAST_BEGINNING); length++) {
        for (const pattern of alike(row, length)) if (row.name.startsWith(pattern.prefix)) found.push(pattern);
      }
      return found;
    }
    /** Returns the patterns that fit a row, in order, each with its fit. */
    const find = (row, test, patterns) => pick(patterns, (pattern) => pattern.fit(row, test)?.fit);
    function pick(patterns, fitOf) {
      const found = [];
      for (const pattern of patterns) {
        const fit = fitOf(pattern);
        if (fit !== undefined) found.push({ pattern, fit });
      }
      return found.sort((a, b) => a.pattern.order - b.pattern.order);
    }

    /** Yields the fitting patterns for each way in which a name can fit, the most certain way first. */
    function* ways(row) {
      const { name, cut } = row;
      const candidates = like(row);
      yield find(row, exactly(name), candidates);
      yield find(row, shortened(name), candidates);
      // A pattern that begins with a variable part would fit every name.
      if (cut) yield find(row, begins(name), candidates.filter((pattern) => pattern.prefix));
      if (cut && name.length >= LEAST_BEGINNING) {
        // The truncated name ends inside the prefix of these patterns, which must belong to one component.
        const found = find(row, () => true, alike(row, LEAST_BEGINNING).filter((pattern) => pattern.prefix.startsWith(name)));
        if (isOne(found.map((one) => one.pattern))) yield found;
      }
      if (row.masked) yield pick(candidates, (pattern) => pattern.fitMasked(row));
      for (const other of relatives(row)) yield find(other, exactly(other.name), like(other));
      for (const other of withoutRelease(row)) yield pick(like(other), (pattern) => pattern.fitRelease(other));
      const edited = withEditedHash(row);
      if (edited) yield pick(like(edited), (pattern) => pattern.fitInNamespace(edited));
      const short = withEditedSuffix(row);
      if (short) yield pick(like(short), (pattern) => pattern.fitEdited(short));
    }

    /** Returns the patterns that fit a row in the first way in which any does. */
    function fitting(row) {
      // No object has a longer name, and matching it would take long.
      if (row.name.length <= tables.longest) for (const found of ways(row)) if (found.length) return found;
      return [];
    }

    /** Returns the patterns that fit best. With a provider, patterns of other providers do not count unless nothing else fits. */
    function choose(fitting, provider) {
      const here = fitting.filter((one) => provider === undefined || one.pattern.isAt(provider)), candidates = here.length ? here : fitting;
      const top = Math.max(...candidates.map((one) => one.fit));
      return candidates.filter((one) => one.fit === top).map((one) => one.pattern);
    }

    /** Returns the patterns that fit a row without a namespace best, and those that fit it at least as well in their namespace; none for a row with a namespace. */
    function candidates(row) {
      if (row.namespace !== undefined) return [];
      const best = Math.max(...row.fitting.map(({ fit }) => fit));
      return [...row.fitting.filter(({ fit }) => fit === best), ...pick(like(row), (pattern) => pattern.fitUnnamed(row)).filter(({ fit }) => fit >= best)];
    }
    /** Decides the rows without a namespace that several components could own by the other rows; see src/listing/same_table.rs. */
    function decideByOtherRows(rows) {
      const place = ({ component }, namespace = "") => `${component} ${namespace}`, found = new Map(), undecided = [];
      const foundAt = ({ component, namespace }) => entry(found, place({ component }, namespace), () => ({ component, namespace, certain: new Set(), objects: new Set(), hasOwn: false, rows: 0 }));
      for (const row of rows) {
        if (row.name.length > tables.longest) continue;
        const candidate = candidates(row), patterns = candidate.map(({ pattern }) => pattern);
        const hasOne = isOne(patterns), isCertain = hasOne && row.fitting.length > 0;
        if (!isCertain) undecided.push([row, candidate]);
        for (const here of new Set(patterns.map(foundAt))) here.rows++;
        for (const pattern of patterns) {
          if (!pattern.kinds.includes("Pod")) continue;
          const here = foundAt(pattern), object = pattern.objectOf(row);
          here.hasOwn ||= hasOne;
          here.objects.add(object);
          if (isCertain) here.certain.add(object);
        }
      }
      const unnamed = rows.filter(({ namespace }) => namespace === undefined).length;
      const isCertain = (key) => found.get(key)?.certain.size >= ENOUGH;
      // The components that have objects in several of their namespaces.
      const inNamespaces = new Map();
      for (const { component, namespace, certain } of found.values()) if (namespace && certain.size) entry(inNamespaces, component, () => []).push(certain.size);
      const isInSeveral = (component) => {
        const of = inNamespaces.get(component) ?? [];
        return of.length > 1 && of.reduce((sum, size) => sum + size) >= ENOUGH_IN_SEVERAL;
      };
      const isWholeTable = ({ hasOwn, objects, rows }) => hasOwn && objects.size >= ENOUGH && rows * 2 > unnamed;
      for (const [row, candidate] of undecided) {
        // A name that no component has without the namespace may be the user's, so that the component must be in the same namespace.
        const isRival = row.fitting.length > 0;
        const isHere = (pattern) => {
          const key = place(pattern, pattern.namespace);
          return isCertain(key) || (isRival ? isCertain(place(pattern)) : isWholeTable(found.get(key)) || isInSeveral(pattern.component));
        };
        const here = candidate.filter(({ pattern }) => isHere(pattern));
        if (here.length && isOne(here.map(({ pattern }) => pattern))) row.fitting = here;
      }
    }

    const images = new Map(components.flatMap(({ images = [] }, component) => images.map((image) => [image, component])));
    /** Returns the component of an image: the one with this repository, or its last parts, in its facts; else the only one with a workload of that name. */
    function ofImage(path) {
      for (let rest = path; ; rest = rest.slice(rest.indexOf("/") + 1)) {
        if (images.has(rest)) return images.get(rest);
        if (!rest.includes("/")) {
          const found = ofWorkload(undefined, rest), forAll = original(path);
          // A repository for one architecture is named after it: `etcd-amd64`.
          return found ?? (forAll === undefined ? undefined : ofImage(forAll));
        }
      }
    }
    /** Returns the component of the patterns that fit a row in one way, if it is only one. */
    function onlyOwner(row, fits) {
      const found = like(row).filter(fits);
      return found.length && isOne(found) ? found[0].component : undefined;
    }
    /** Returns the only component that has a workload or a ServiceAccount with a name. */
    const ofWorkload = (namespace, name) => onlyOwner({ namespace, name }, (pattern) => pattern.fitObject({ namespace, name }) !== undefined);
    const knownNames = ksys.knownNames(components, tables.longest);
    /** Returns the component of a row that no pattern fits; see src/listing/related.rs. */
    function related(row) {
      const { kind = "", name, namespace, image, chart } = row;
      if (name.length > tables.longest) return;
      if (kind === "Image") return ofImage(name);
      const known = () => knownNames.ofRow(kind, name);
      // Any word of an event can be its source.
      const isRelated = kind === "Container" || (tables.related.some((known) => known.toLowerCase() === kind.toLowerCase()) && (kind !== "EventSource" || name.includes("-")));
      const names = isRelated ? [name, ...name.startsWith("system:") ? [name.slice(7)] : [], ...chart ? [chart] : []] : [];
      // An image such as `hyperkube` is that of several components.
      const named = kind === "Container" ? components.findIndex(({ id, listing }) => id === name && listing.length) : -1;
      if (named >= 0) return named;
      return (image && ofImage(image)) ?? known() ?? names.map((name) => ofWorkload(namespace, name)).find((component) => component !== undefined);
    }

    /** Returns a pattern of the only component that has a workload with the name of a row, in another namespace. */
    function ofCopy(row) {
      const found = row.name.length > tables.longest ? [] : like(row).filter((pattern) => pattern.isElsewhere(row));
      return isOne(found) ? found[0] : undefined;
    }

    /** Returns a function that tells whether a text is a name with a template. */
    const isName = (template) => nameOf(template).is;

    return { fitting, decideByOtherRows, choose, isOne, isName, related, ofCopy, ofWorkload, knownNames, of: (component) => byComponent[component] };
  };
}
