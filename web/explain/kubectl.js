// What kubectl printed, read line by line: the same as src/listing/, rule for rule (see there for the reasons). Tables of words come with the guide
// (src/listing/tables.rs). tests/fixtures/listings and tests/fixtures/explain hold both to the same answers.
globalThis.ksys ??= {};
{
  // What copying adds, and white space that is neither a space, a tab nor the end of a line.
  const ODD = /[\x85\u200b]|[^\S\t\n ]/g;
  // Escape sequences (ECMA-48); one that does not end is no more than its first letters.
  const SEQUENCE = /(\x1b\[|\x9b)[^@-~\n]{0,1997}[@-~]|\x1b\][^\n]{0,1996}?([^\n]?\x07|\x1b\\)|\x1b[()][^\n]|\x1b[^\n]?|\x9b/gu;
  // What stands before a line and is none of it: of a comment, a quotation, a table, an item.
  const MARK = /^(#|\/\/|> |\||[-*+•] |・|\d*\. )?#*/;
  // Between or around cells: of a table or of code in Markdown, of what `kubectl tree` draws.
  const SIGNS = /[|`│├└─]/g;
  // What stands for rows that were left out.
  const LEFT_OUT = ["...", "…", "[...]", "[…]", "(...)", "<...>"];
  // What `helm status` says of the tables below: `NAMESPACE: web`, `==> apps/v1/Deployment`.
  const TOLD = /^(?:NAMESPACE:\s*(.+)|==> (?:.*\/)?([^(]*))/;
  // Lines that begin objects in JSON and in YAML, or a block of code in Markdown.
  const JSON_BEGINS = /^([[{]$|\{ ?"|\[\{)/, YAML_BEGINS = /^((- )?apiVersion:|items:$)/, FENCE = /^(```|~~~)/;
  // What a web page has before a line: `</span>`.
  const TAGS = /^(<\/*[a-z][^>]*>\s*)+/i;
  // Strings, with the colon behind a key, and what is around them.
  const TOKEN = /"([^"\\\n]*(?:\\.?[^"\\\n]*)*)"?(?=\s*(:?))|[{}[\]\n]/g;
  // What an object says of its kind.
  const OF_KIND = /^(kind|apiVersion)$/;
  // What kubectl can do that prints objects.
  const PRINTING = /^(get|describe|top|events)$/;
  const PROMPT = /^([$❯➜%] |[$❯]$|PS .*> |[^ @]*@[^ ]*[$#] )/;
  const NAME = /^[a-z\d]([a-zA-Z\d.:_-]*[a-zA-Z\d])?$/;
  // Names of Pods, whose end no word has.
  const RANDOM = /-(?=[a-z]*\d)[a-z\d]{5}$/;
  // What is no name where it stands alone: versions, numbers of other kinds, words with capitals.
  const NO_NAME = /^([^a-z]|v\d|[^-]{8}(-[^-]{4}){3}-[^-]{12}$)|[A-Z]/;
  const SECRET = /^(Opaque$|((bootstrap\.)?kubernetes\.io|helm\.sh)\/)/, STATE = /^(Active|Terminating)$/, NODE = /^(Not)?Ready(,|$)/;
  const COUNT = /^\d+$/, READY = /^\d+\/\d+$/, AGE = /^(\d[\dsmhdy]*[smhdy]|[\d:T-]{19}Z)$/, CAPITAL = /^[A-Z]/;
  // What a cell below a title looks like: prose below a table has words where the table has counts and states.
  const CELLS = [
    [/^READY$/, /^([\d<A-Z]|-$)/],
    [/^CLUSTER-IP$/, /^[\d<A-Z]|:/],
    [/^STATUS$/, CAPITAL],
    [/^(DESIRED|DATA|SECRETS|COMPLETIONS|AGE|CAPACITY|CPU\(cores\)|CREATED)$/, /^[\d<]/],
  ];

  const words = (text) => text.match(/\S+/g) ?? [];
  const isName = (word) => NAME.test(word);
  const isCount = (cell) => COUNT.test(cell);
  const isCompound = (word) => word.includes("-") && isName(word);

  /** The parts before and behind the first `sign`; nothing if there is none. */
  function split(text, sign) {
    const at = text.indexOf(sign);
    return at < 0 ? [] : [text.slice(0, at), text.slice(at + 1)];
  }

  function unquoted(text, quote = /["']/) {
    let start = 0, end = text.length;
    while (quote.test(text[end - 1])) end--;
    while (start < end && quote.test(text[start])) start++;
    return text.slice(start, end);
  }

  /** The text without what copying adds: colour codes, byte order mark, unusual white space. It has the same lines. */
  function clean(text) {
    const plain = text.replace(/\r\n/g, "\n").replace(SEQUENCE, "")
      .replace(/\ufeff/g, "").replace(ODD, " "), letters = [];
    if (!plain.includes("\b")) return plain;
    // What was printed over: `man` and progress bars.
    for (const letter of plain) {
      if (letter !== "\b") letters.push(letter);
      else if (letters.at(-1) === "\n") letters.push(" ");
      else letters.pop();
    }
    return letters.join("");
  }

  /** What the metadata of an object says, and on which line. */
  function put(object, key, value, line) {
    if (key === "namespace") object.namespace = value;
    if (key === "name") Object.assign(object, { name: value, line });
  }

  /** Reads JSON from the first of some lines to where it is closed, or to the last: how many lines it takes, and what says which objects there are. */
  function json(lines) {
    const open = [], found = [];
    let line = 0;
    for (const [token, value, colon] of lines.join("\n").matchAll(TOKEN)) {
      const own = open.at(-1), parent = open.at(-2);
      if (token === "\n") line++;
      else if ("{[".includes(token)) open.push({ list: token === "[" });
      else if ("}]".includes(token)) {
        open.pop();
        const [root, list, more] = open;
        // A template in an object has a name, too; only what was listed counts.
        if (own.kind !== undefined && (!root || (list ? !more && list.list && root.key === "items" : root.list))) found.push(own);
        if (!root) break;
      } else if (own.list) continue;
      else if (colon) own.key = value;
      else {
        if (OF_KIND.test(own.key)) own[own.key] = value;
        if (parent?.key === "metadata" && !parent.list) put(parent, own.key, value, line);
      }
    }
    // What was cut off at the end is there all the same.
    return [line + 1, [...found, open.findLast(({ kind, name }) => (kind ?? name) !== undefined)]];
  }

  /** Reads YAML in the same way, always to the last line. */
  function yaml(lines) {
    // The columns of the dashes before objects, of an object's keys, and of the keys of its metadata.
    let list, own, inner, inMetadata, afterItems, object;
    const found = [];
    const next = () => {
      found.push(object = {});
      inner = inMetadata = undefined;
    };
    next();
    for (const [at, line] of lines.entries()) {
      let [all, { length: column }, dash, key, colon, value] = /^( *)((?:- +)?)([^:]*)(:?)(.*)/.exec(line.trimEnd());
      if (!all || (!dash && key[0] === "#")) continue;
      if (!dash && key === "---" && !colon) {
        next();
        list = own = afterItems = undefined;
        continue;
      }
      if (dash) {
        if (own === undefined || afterItems) list ??= column;
        const isObject = list === column;
        column += dash.length;
        if (isObject) {
          next();
          own = column;
        }
      }
      own ??= column;
      afterItems = false;
      if (!colon) continue;
      const text = unquoted(value.trim());
      // Back among the keys of the list itself.
      if (column <= list) next();
      else if (column === own) {
        inMetadata = key === "metadata" && !text;
        inner = undefined;
        if (OF_KIND.test(key)) object[key] = text;
        afterItems = key === "items" && list === undefined;
      } else if (inMetadata && column > own && (inner ??= column) === column && text) put(object, key, text, at);
    }
    return [lines.length, found];
  }

  /** What reads listings with these tables. */
  function reader(tables) {
    const kinds = new Map();
    for (const [full, others] of [...tables.kinds].reverse()) for (const word of [full, `${full}s`, ...others]) kinds.set(word.toLowerCase(), full);
    const known = (word = "") => kinds.get(word.toLowerCase());
    // Somebody else's Service, Job or Ingress is another thing of the same name.
    const groups = [...tables.short_groups, ...tables.openshift_groups], isOwn = (group) => group.endsWith(".k8s.io") || groups.includes(group);
    const inGroup = (kind, group) => group === undefined || isOwn(group) || !known(kind) ? kind : `${kind}.${group}`;
    // A program, in front of which may stand a path or a prompt.
    const program = new RegExp(`(?:^|[\\s/\\\\>$#%])(${tables.programs.join("|").replaceAll(".", "\\.")})(?!\\S)`);
    const promptEnd = new RegExp(`[${tables.prompt_ends.join("")}](?:\\s+\\S*)?$`);
    // Another program, and a word or an option behind it. In a table there are wider gaps, and an age at the end.
    const another = new RegExp(`^ ?(${tables.others.join("|")}) [a-z-]+(?!\\S)(?!.*(  |\\t|\\d$))`);
    // What kubectl up to 1.10 said of what it had done, and says of deleting to this day.
    const done = new RegExp(`^([a-zA-Z\\d-]+)(?:\\.([a-zA-Z\\d.-]+))? ["“]([^"”]*)["”] \\s*(?:${tables.done.join("|")})(?!\\S)`
      + "(?:\\s+from\\s+(\\S+)\\s+namespace(?!\\S))?");

    /** Whether a command can begin behind a text: a prompt, another command, or nothing but assignments, wrappers and a path. */
    function begins(before) {
      const isPlain = (word) => tables.wrappers.includes(word.split(/[/\\>$#%]/).at(-1)) || /^[A-Z_]+=/.test(word);
      const all = before.split(/\s+/).slice(0, -1), from = all.findLastIndex((word) => /^(&&|\|\||--)$|;$/.test(word)) + 1;
      return promptEnd.test(before) || all.slice(from).every(isPlain);
    }

    /** Reads a line as a command: `{namespace, kind, excerpt, prints}`; nothing if it is none. */
    function command(line) {
      const prompted = PROMPT.test(line), found = program.exec(line), end = found?.index + found?.[0].length;
      if (!found || !(prompted || begins(line.slice(0, end - found[1].length).trimStart()))) return (prompted || another.test(line)) && {};
      const all = words(line.slice(end)), other = [];
      let namespace, kind, excerpt = false;
      const inside = (value = "") => {
        const name = unquoted(value);
        if (isName(name)) namespace = name;
      };
      for (let at = 0; at < all.length; at++) {
        const word = all[at], [option = word, given] = split(word, "=");
        // What prints the rows may be behind something that does not.
        if (/^(&&|;)$/.test(word) && !PRINTING.test(other[0])) return command(`$ ${line.slice(line.lastIndexOf(word) + word.length).trim()}`);
        if (/^(&&|\|\|?|;|>>?)$/.test(word)) {
          excerpt ||= word === "|" && tables.filters.includes(all[at + 1]?.toLowerCase());
          break;
        }
        if (/^-n[^=]/.test(word)) inside(word.slice(2));
        else if (/^-./.test(option)) {
          const value = given ?? (tables.with_value.includes(option) ? all[++at] : undefined);
          if (/^(-n|--namespace)$/.test(option)) inside(value);
          excerpt ||= /^(-l|--(field-)?selector)$/.test(option);
        } else other.push(word);
      }
      const [verb, what = "", more] = other, prints = PRINTING.test(verb);
      if (prints) {
        // One of somebody else's has its own name, which no pattern has by chance.
        const [asked, word, group = ""] = /^(?!all(?:\.|$))([a-zA-Z\d]+)(?:\.([a-zA-Z\d.-]*))?$/.exec(what.split("/", 1)[0]) ?? [];
        kind = (!group.includes(".") || isOwn(group)) && known(word) || asked;
        excerpt ||= !!more || what.includes("/");
      }
      // A command of several lines may say in the next one what it shall do.
      return (prompted || tables.verbs.includes(verb) || line.endsWith("\\")) && { namespace, kind, excerpt, prints };
    }

    const isType = (cell) => tables.service_types.includes(cell), isSomeType = (cell) => cell === "Opaque" || isType(cell);
    const isCell = (cell) => isCount(cell) || isSomeType(cell) || /^<|\//.test(cell) || STATE.test(cell) || NODE.test(cell);
    const isNamespace = (word) => word === "default" || isCompound(word);

    /**
     * `deployment.apps/coredns` is the Deployment `coredns`. A READY cell is none, nor is the type `kubernetes.io/tls` of a Secret.
     * It is `sure` if the kind is one of Kubernetes or has a group.
     */
    function kindAndName(cell) {
      const [, kind, group, name] = /^([a-z]{2,})(?:\.([^/]*))?\/(.+)/i.exec(cell) ?? [];
      const isGroup = group === undefined || group.includes(".") || tables.short_groups.includes(group);
      if (kind && isGroup) return { kind: inGroup(kind, group), name, sure: group ?? known(kind) };
    }

    /** The kind that prints these cells behind the name, where they leave no doubt. */
    function kindOf(cells) {
      const [first, second, third] = cells;
      if (SECRET.test(first) && isCount(second)) return "Secret";
      if (STATE.test(first) && AGE.test(second) && cells.length === 2) return "Namespace";
      if (isType(first)) return "Service";
      if (NODE.test(first) && AGE.test(third) && /^v/.test(cells[3])) return "Node";
      if (READY.test(first) && CAPITAL.test(second)) return "Pod";
      if (READY.test(first) && isCount(second) && isCount(third) && cells.length === 4) return "Deployment";
      if (cells.length > 6 && cells.slice(0, 5).every(isCount)) return "DaemonSet";
    }

    /** Reads a row, with or without a namespace and a kind before the name. */
    function row(cells) {
      const [first, second] = cells, own = kindAndName(first), is = own ?? kindAndName(second);
      // Whether the first column is the namespace shows in the second: a state, a count and a Service's type are no names.
      const at = !own && (is || (cells.length > 2 && !isCell(second))) ? 1 : 0, rest = cells.slice(at + 1);
      return { namespace: at ? first : undefined, ...is ?? { kind: kindOf(rest), name: cells[at] }, rest };
    }

    /** A row that no header explains, if it leaves no doubt that it is one. `alone`: there is nothing else in the text. */
    function certain(cells, alone) {
      const [first = "", second, third] = cells;
      const named = (cells) => kindOf(cells) || (isCell(cells[0]) && AGE.test(cells.at(-1)));
      if (kindAndName(first)?.sure) return row(cells);
      if (second === undefined) {
        // A name that stands alone, or behind its namespace.
        const [namespace, name = first] = split(first, "/");
        const isOwn = () => (alone || first.includes("-")) && !NO_NAME.test(first) && !tables.files.some((ending) => first.endsWith(ending));
        if (isName(name) && (namespace === undefined ? isOwn() : isNamespace(namespace))) return { namespace, name };
      } else if (kindAndName(second)?.sure) {
        if (isName(first) && isCell(third ?? "/")) return row(cells);
      } else if (third !== undefined) {
        // An event: what it is about has its kind with it.
        if (AGE.test(first) && /^(Normal|Warning)$/.test(second)) return cells.map(kindAndName).find((is) => is?.sure);
        // A Pod of a Node, as `kubectl describe node` prints it, with its share of the CPU.
        if (/^\(\d+%\)$/.test(cells[3]) && isName(first) && isName(second)) return { namespace: first, kind: "Pod", name: second };
        if (named(cells.slice(1)) || named(cells.slice(2))) return row(cells);
      } else if (AGE.test(second)) {
        if (isName(first) && /[-.]/.test(first)) return { name: first };
      // A namespace and a name, which is what people print with columns of their own.
      } else if (isNamespace(first) && isCompound(second)) return { namespace: first, name: second };
    }

    /** Reads a line such as `NAMESPACE   NAME   READY   STATUS`. */
    function header(cells) {
      const [first] = cells, place = (title) => cells.indexOf(title);
      if (!CAPITAL.test(first)) return;
      // The Pods of a Node, as `kubectl describe node` prints them.
      if (cells.slice(0, 3).join(" ") === "Namespace Name CPU") return header(["NAMESPACE", "POD", ""]);
      const titles = cells.length > 1 && cells.every((cell) => /^[A-Z][^a-z]*$/.test(cell));
      // In tables of containers the Pod is in a column of its own, and before 1.2 it was called so.
      const named = ["POD", "NAME", "CONTROLLER"].map(place).find((at) => at >= 0);
      const objects = titles && named === undefined && cells.includes("OBJECT");
      if (!/^NAME(SPACE)?$/.test(first) && !objects && !(titles && named >= 0)) return;
      const name = named ?? 0, columns = cells.slice(name + 1);
      const fitting = tables.columns.filter(([own]) => own.every((title, at) => title === columns[at])).sort(([a], [b]) => b.length - a.length);
      const kind = cells[name] === "POD" ? "Pod" : fitting[0]?.[1];
      // From so many cells on a row ends in a time.
      const whole = cells.at(-1) === "AGE" ? cells.length : Infinity;
      return { name, namespace: place("NAMESPACE"), kindAt: place("KIND"), objects, next: columns[0], kind, whole };
    }

    /** Reads what kubectl said that it had done: `pod "web-0" deleted from prod namespace`. */
    function doneTo(text) {
      const [, kind, group, name, namespace] = done.exec(text) ?? [];
      if (group !== undefined || known(kind)) return { namespace, kind: inGroup(kind, group), name };
    }

    /** Reads a row of a table whose header is known. */
    function below(header, cells) {
      // What is in no namespace leaves its cell empty, and everything moves one to the left.
      const moved = header.namespace + 1 === header.name && kindAndName(cells[header.namespace])?.sure ? 1 : 0;
      const at = header.name - moved, namespace = moved ? undefined : cells[header.namespace];
      const name = cells[at], cell = cells[at + 1], { next } = header;
      if (header.objects) {
        const is = cells.map(kindAndName).find((is) => is?.sure);
        return is && { namespace, ...is };
      }
      const suits = () => next === "TYPE" && header.kind ? isSomeType(cell) || /[/.-]/.test(cell) : CELLS.find(([title]) => title.test(next))?.[1].test(cell) ?? true;
      const fits = next === undefined ? cell === undefined
        // Cut off, or written down without the rest.
        : cell === undefined ? /^[a-z].*[-/.\d]/i.test(name)
        : (cells.length + moved < header.whole || /^</.test(cells.at(-1)) || AGE.test(cells.at(-1))) && suits();
      if (name === undefined || !fits) return;
      const rest = cells.slice(at + 1), kind = cells[header.kindAt] ?? header.kind ?? kindOf(rest);
      return { namespace, ...kindAndName(name) ?? { kind, name }, rest, cut: !cell && next !== undefined };
    }

    /** Reads a listing: what kubectl prints in any of its forms, several times over, between whatever people write around it. The text must be clean. */
    function listing(text) {
      const lines = text.split("\n"), rows = [];
      if (!lines.at(-1)) lines.pop();
      let others = 0;
      lines.some((line) => line.trim() && !command(line.trim()) && ++others > 1);
      // The header of the table with what stands before each line of it (people comment whole tables out); the namespace and the kind of the last command; what is
      // being described; whether a command goes on; whether braces and keys are known to be no objects here.
      let table, inside, kind, described, inCommand, noObjects, excerpt = false;
      // Whether the last that came is a command that prints objects; whether this is a block of code in Markdown; whether a table or a row has come since the last command,
      // and something was left out since then, so that a row that is in no table may be another command's.
      let awaits, inBlock, printed, leftOut;

      /**
       * Takes a row, with what the command above says; an empty one if the words can be no names.
       * Of a DaemonSet, `nodes` says on which it wants Pods, and whether there is any.
       */
      function complete(line, { namespace, kind: own, name: shown, rest = [], cut }) {
        const [, name, more] = /^([^]*?)(…|\.{3})?$/.exec(shown), full = known(own) ?? own, of = full || kind;
        const selector = rest.find((cell) => !isCount(cell)) ?? "";
        const nodes = full === "DaemonSet" && isCount(rest[0]) && { labels: /[=/]/.test(selector) ? selector.split(",") : [], any: rest[0] !== "0" };
        namespace ??= tables.cluster_scoped.includes(of) ? undefined : inside;
        const row = { line, text: lines[line - 1].trim(), namespace, kind: of, name, cut: more || cut, nodes };
        // What was cut off may end in anything.
        if (![row.cut && name ? `${name}0` : name, namespace ?? "x"].every(isName)) return {};
        rows.push(row);
        return row;
      }

      /** What stands before a line, and the rest. */
      function unmarked(line) {
        const [marks] = MARK.exec(line);
        return { marks, rest: line.slice(marks.length).trim().replace(TAGS, "") };
      }

      /** The command of a line, or behind what stands before it, or in backticks. */
      function commandIn(line) {
        const { marks, rest } = unmarked(line);
        return command(line) || ((marks || rest[0] === "`") && command(unquoted(rest, /`/)));
      }

      /** Takes what a command says of the rows below. */
      function follow({ namespace, kind: asked, prints, excerpt: part }) {
        excerpt ||= part;
        if (inCommand) [inside, kind] = [namespace ?? inside, asked ?? kind];
        // Of several commands, one below the other, nobody knows whose output comes first: then it says what all of them say.
        else if (awaits && prints) {
          inside = inside && namespace && inside !== namespace ? undefined : inside ?? namespace;
          if (kind !== asked) kind = undefined;
        } else [inside, kind] = [namespace, asked];
        awaits = prints || (inCommand && awaits);
        printed = leftOut = false;
      }

      function understand(number, line) {
        const { marks, rest } = unmarked(line), mark = marks.charAt().replace("/", "#").replace(/[*+•・\d.]/, "-");
        const fence = FENCE.test(line);
        const typed = !fence && line && (commandIn(line) || (inCommand && command(`$ kubectl ${rest}`)));
        if (typed) follow(typed);
        else if (line) awaits = false;
        if (fence) inBlock = !inBlock;
        if (typed || fence) table = described = noObjects = undefined;
        inCommand = typed && line.endsWith("\\");
        if (typed || fence || !line) return;
        const inner = rest.replaceAll("**", "").replace(SIGNS, " ").trim(), cells = words(inner);
        const found = header(cells), [key, value] = split(line, ":"), [told, where, of] = TOLD.exec(line) ?? [];
        // Within a block of code `##` begins a comment, and one `#` anywhere.
        if (line === "Allocated resources:" || (printed && !inBlock && /^##+ /.test(line))) table = described = inside = kind = undefined;
        // Rows of a table may be left out, or all up to another.
        else if (LEFT_OUT.includes(line)) leftOut = printed;
        else if (where ? isName(where) : told) {
          table = described = undefined;
          if (where) [inside, kind] = [where];
          else if (/^[a-z]*$/i.test(of)) kind = known(of) ?? of;
        } else if (found) {
          table = { mark, ...found };
          described = undefined;
          printed = true;
        // The beginning of what `kubectl describe` prints, and what its further lines say of the kind.
        } else if (key === "Name" && /^\s/.test(value)) described = complete(number, { name: value.trim() });
        else if (described?.name && key !== undefined) {
          if (key === "Namespace" && isName(value.trim())) described.namespace = value.trim();
          described.kind ??= tables.described.find(([known, begins]) => known === key && value.trimStart().startsWith(begins))?.[2];
        } else {
          const isBelow = table?.mark === mark;
          let row = (isBelow && below(table, cells)) || doneTo(inner);
          if (!row && (isBelow ? inner.includes("/") : !described)) {
            row = certain(cells, others === 1 && !isBelow);
            // People paste without headers, too; and in a comment a name is only a word, and in a list, if it is not a Pod's.
            if (row?.kind === undefined && (isBelow || mark === "#" || (mark === "-" && !RANDOM.test(row?.name)))) return;
          }
          if (!row) return;
          if (!table && leftOut) inside = kind = leftOut = undefined;
          printed = true;
          complete(number, row);
        }
      }

      for (let at = 0, end = 0, to; at < lines.length; at = to) {
        const line = lines[at].trim(), isJson = JSON_BEGINS.test(line);
        let count, objects = [];
        if (!inCommand && !noObjects && (isJson || (YAML_BEGINS.test(line) && !command(line)))) {
          // Up to a command or a fence.
          while (end <= at || (end < lines.length && !commandIn(lines[end].trim()) && !FENCE.test(lines[end].trim()))) end++;
          [count, objects] = (isJson ? json : yaml)(lines.slice(at, end));
        }
        objects = objects.filter((object) => object?.name !== undefined);
        to = at + 1;
        if (objects.length) {
          to = at + count;
          for (const { apiVersion = "", ...object } of objects) complete(at + object.line + 1, { ...object, kind: inGroup(object.kind, split(apiVersion, "/")[0]) });
          table = described = awaits = undefined;
        } else {
          // What holds no object is something else, and is not looked at from its second line on again: that would take quadratic time.
          if (count) noObjects = true;
          understand(at + 1, line);
        }
      }
      return { rows: rows.sort((a, b) => a.line - b.line), excerpt };
    }

    return listing;
  }

  ksys.kubectl = { clean, reader };
}
