// Names outside of listings: alerts, metrics, labels, taints, messages … It follows src/listing/known_names.rs rule for rule; the reasons are documented there.
{
  const SEPARATORS = /[_\-/.:]$/;
  // The number of words up to which a line has the columns of an event.
  const MOST_COLUMNS = 8;
  // What can follow the prefix of a metric, which ends in an underscore.
  const METRIC = /^[a-z][A-Za-z\d_:]*$/;

  /** Returns the index of the names of components. `longest` is the maximum length of a name. */
  ksys.knownNames = (components, longest) => {
    const names = new Map(), prefixes = new Map(), messages = [];
    for (const [component, { names: entries = [] }] of components.entries()) {
      for (const [kind, own, , inText] of entries) {
        for (const name of own) {
          if (kind === "Message") messages.push({ kind, name, component });
          const of = kind !== "Message" && SEPARATORS.test(name) ? prefixes : names;
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
    /** Returns the words of a line that can be names, without punctuation around them, and where they are. */
    const wordsOf = (line) => [...line.matchAll(/[A-Za-z\d._/:-]+/g)].flatMap(({ 0: word, index }) => {
      let start = 0, end = word.length;
      while (start < end && ".:-".includes(word[start])) start++;
      while (end > start && ".:-/_".includes(word[end - 1])) end--;
      return word.includes("://") ? [] : [{ word: word.slice(start, end), at: index + start }];
    });

    /** Returns the names that the source of a log line can have: of a file with its folder, and of the file; else the word. */
    function sourceNames(word) {
      const [path] = /^.*?\.go/s.exec(word) ?? [word], parts = path.split("/");
      return [path, ...parts.length > 2 ? [parts.slice(-2).join("/")] : [], ...parts.length > 1 && path.endsWith(".go") ? [parts.at(-1)] : []];
    }
    // `Failed` is also a word: the age or the object of the event follows its reason.
    const isColumn = (word) => ksys.lines.isAge(word) || word.includes("/");
    /** Returns the reason of an event in a line, if it can have one: after its type, or the first of several columns. */
    function reasonOf(line) {
      const words = line.split(/\s+/).filter(Boolean).slice(0, MOST_COLUMNS), type = words.findIndex((word) => /^(Normal|Warning)$/.test(word));
      const [, first] = /^\s*(\S+)(?:\t|  )/.exec(line) ?? [], afterType = isDistinctive(words[type + 1] ?? "") || isColumn(words[type + 2] ?? "") ? words[type + 1] : undefined;
      const reason = type < 0 ? first && isDistinctive(first) && first : afterType;
      const found = reason && find(reason, ({ kind }) => kind === "EventReason");
      return found && { ...found, name: reason };
    }
    /** Whether a word is where the name of a logger is: after its key, after the level, or after `|`. */
    function isLogger(line, at) {
      let end = at;
      while (end > 0 && "\"\\ \t:=".includes(line[end - 1])) end--;
      return end < at && /(?:[|\]]|logger|subsys|component|module|DEBUG|INFO|WARN|ERROR)$/.test(line.slice(Math.max(0, end - 9), end));
    }
    function nameOf(line, { word, at }) {
      const isSource = ({ kind }) => kind === "LogSource", known = (name, isKind) => {
        const found = find(name, isKind);
        return found && { ...found, name };
      };
      const isPlace = (name) => /\/|\.go$/.test(name) || isLogger(line, at);
      return sourceNames(word).reduce((found, name) => found ?? (isPlace(name) ? known(name, isSource) : undefined), undefined) ?? (isDistinctive(word) ? known(word, ({ inText }) => inText) : undefined);
    }
    const inLine = ksys.knownMessages(messages);

    /** Returns the rows of the names and messages in lines of text, each once. The source of a line is left out if its component has a message or another source. */
    function inText(texts, hasTables) {
      const seen = new Set(), printed = new Set();
      const found = texts.flatMap(({ line, text }) => [...inLine(text), reasonOf(text), ...wordsOf(text).map((word) => nameOf(text, word))].flatMap((known) => {
        if (!known) return [];
        const { kind, name, component } = known;
        // A description of any Pod has labels, taints and paths that are names of components.
        if (hasTables && !/^(Message|LogSource|EventReason)$/.test(kind)) return [];
        if (kind === "LogSource" ? printed.has(component) : seen.has(name)) return [];
        seen.add(name);
        if (kind === "Message" || kind === "LogSource") printed.add(component);
        return [{ line, text, health: null, kind, name, component }];
      }));
      const explained = new Set(found.filter(({ kind }) => kind === "Message").map(({ component }) => component));
      return found.filter(({ kind, component }) => kind !== "LogSource" || !explained.has(component)).map(({ component, ...row }) => row);
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
