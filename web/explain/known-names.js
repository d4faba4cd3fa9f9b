// Names outside of listings: alerts, metrics, labels, taints … It follows src/listing/known_names.rs rule for rule; the reasons are documented there.
{
  const SEPARATORS = /[_\-/.:]$/;
  // What can follow the prefix of a metric, which ends in an underscore.
  const METRIC = /^[a-z][A-Za-z\d_:]*$/;

  /** Returns the index of the names of components. `longest` is the maximum length of a name. */
  ksys.knownNames = (components, longest) => {
    const names = new Map(), prefixes = new Map();
    for (const [component, { names: entries = [] }] of components.entries()) {
      for (const [kind, own, , inText] of entries) {
        for (const name of own) {
          const of = SEPARATORS.test(name) ? prefixes : names;
          if (!of.has(name)) of.set(name, []);
          of.get(name).push({ kind, component, inText });
        }
      }
    }

    /** Returns the kind and the component of a name, if only one has it: the one with the whole name, or else with its longest prefix. */
    function find(name, isKind) {
      if (name.length > longest) return;
      const lists = [names.get(name)];
      for (let end = name.length; end > 0; end--) {
        // Not `node_1` of `node_`, nor the source file `container_linux.go` of `container_`.
        const isWord = name[end - 1] !== "_" || METRIC.test(name.slice(end));
        if (isWord && SEPARATORS.test(name[end - 1])) lists.push(prefixes.get(name.slice(0, end)));
      }
      for (const list of lists) {
        const found = list?.filter(isKind) ?? [];
        if (found.length) return found.every(({ component }) => component === found[0].component) ? found[0] : undefined;
      }
    }
    const row = (name, isKind = () => true) => {
      const found = find(name, isKind);
      return found && { kind: found.kind, name };
    };

    const isDistinctive = (word) => word.length > 3 && (/[_/.:]/.test(word) || word.replace(/[^A-Z]/g, "").length > 1);
    const wordsOf = (line) => line.split(/[^A-Za-z\d._/:-]+/).filter((word) => !word.includes("://")).map((word) => word.replace(/^[.:-]+|[.:/_-]+$/g, ""));

    /** Returns the rows of the names in lines of text, each once. */
    function inText(texts) {
      const seen = new Set();
      return texts.flatMap(({ line, text }) => wordsOf(text).filter(isDistinctive).flatMap((name) => {
        const found = row(name, ({ inText }) => inText);
        if (!found || seen.has(name)) return [];
        seen.add(name);
        return [{ line, text, health: null, ...found }];
      }));
    }

    /** Returns what a name is; empty if the facts don't say. */
    function what({ component }, { kind, name }) {
      const fits = (own) => own === name || (SEPARATORS.test(own) && name.startsWith(own));
      const entries = (components[component].names ?? []).filter(([of]) => of === kind);
      const lengths = entries.map(([, own]) => Math.max(0, ...own.filter(fits).map(({ length }) => length))), most = Math.max(0, ...lengths);
      // Of equally long names, the last entry counts, as in the program.
      return most ? entries[lengths.lastIndexOf(most)][2] : "";
    }

    return { ofRow: (kind, name) => find(name, (known) => known.kind === kind)?.component, row, inText, what };
  };
}
