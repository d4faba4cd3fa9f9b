// The parser of pasted kubectl output. It follows src/listing/ rule for rule; the reasons are documented there. The lookup tables
// (src/listing/tables.rs) are part of the explain data. tests/fixtures/listings and tests/fixtures/explain check that both sides agree.
globalThis.ksys ??= {};
{
  // White space that is neither a space, a tab nor the end of a line, as copying adds it.
  const ODD = /[\x85\u200b]|[^\S\t\n ]/g;
  // Escape sequences (ECMA-48). Of an unterminated sequence, only the first characters match.
  const SEQUENCE = /(\x1b\[|\x9b)[^@-~\n]{0,1997}[@-~]|\x1b\][^\n]{0,1996}?([^\n]?\x07|\x1b\\)|\x1b[()][^\n]|\x1b[^\n]?|\x9b/gu;
  // The prefix of a line: the sign of a comment, a quotation, a table or a list item.
  const MARK = /^(#|\/\/|(?:> )+|\||[-*+•] |・|\d*\. )?#*/;
  // Placeholders for omitted rows.
  const LEFT_OUT = ["...", "…", "[...]", "[…]", "(...)", "<...>"];
  // Lines of `helm status` that describe the tables below: `NAMESPACE: web`, `==> apps/v1/Deployment`.
  const TOLD = /^(?:NAMESPACE:\s*(.+)|==> (?:.*\/)?([^(]*))/;
  // The first lines of YAML objects and of Markdown code blocks.
  const YAML_BEGINS = /^((- )?apiVersion:|items:$)/, FENCE = /^(```|~~~)/;
  // HTML tags before a line: `</span>`.
  const TAGS = /^(<\/*[a-z][^>]*>\s*)+/i;
  // kubectl verbs that print objects.
  const PRINTING = /^(get|describe|top|events)$/;
  const PROMPT = /^([$❯➜%] |[$❯]$|PS .*> |[^ @]*@[^ ]*[$#] )/;
  // The random suffix of a Pod: at least one digit, so that it is not a word.
  const RANDOM = /-(?=[a-z]*\d)[a-z\d]{5}$/;
  // Single words that are not names: versions, UUIDs, words with capitals.
  const NO_NAME = /^([^a-z]|v\d|[^-]{8}(-[^-]{4}){3}-[^-]{12}$)|[A-Z]/;
  const SECRET = /^(Opaque$|((bootstrap\.)?kubernetes\.io|helm\.sh)\/)/, STATE = /^(Active|Terminating)$/, NODE = /^(Not)?Ready(,|$)/;
  const COUNT = /^\d+$/, READY = /^\d+\/\d+$/, CAPITAL = /^[A-Z]/;
  // The form of a cell, by the title of its column. Prose below a table has words in the place of counts and states.
  const CELLS = [
    [/^READY$/, /^([\d<A-Z]|-$)/],
    [/^CLUSTER-IP$/, /^[\d<A-Z]|:/],
    [/^STATUS$/, /^([A-Z]|<none>$)/],
    [/^(DESIRED|DATA|SECRETS|COMPLETIONS|AGE|CAPACITY|CPU\(cores\)|CREATED)$/, /^[\d<]/],
  ];

  const { health } = ksys.columns, { json, yaml, details, unquoted, JSON_BEGINS } = ksys.manifests;
  const { words, isAge, isName, isNumeric, upper, withCharacters, withoutComment, withoutMask } = ksys.lines;
  const isCount = (cell) => COUNT.test(cell);
  const isCompound = (word) => word.includes("-") && isName(word);

  /** Returns the parts before and after the first `sign`; an empty list if there is none. */
  function split(text, sign) {
    const at = text.indexOf(sign);
    return at < 0 ? [] : [text.slice(0, at), text.slice(at + 1)];
  }

  /** Returns the text without colour codes, byte order marks and unusual white space. The lines stay the same. */
  function clean(text) {
    const plain = text.replace(/\r\n/g, "\n").replace(SEQUENCE, "")
      .replace(/\ufeff/g, "").replace(ODD, " "), letters = [];
    if (!plain.includes("\b")) return withCharacters(plain);
    // Overprinted characters: `man` and progress bars.
    for (const letter of plain) {
      if (letter !== "\b") letters.push(letter);
      else if (letters.at(-1) === "\n") letters.push(" ");
      else letters.pop();
    }
    return withCharacters(letters.join(""));
  }

  /** Returns the parser of listings for these lookup tables. `parts` are the expressions for parts of names. */
  function reader(tables, parts) {
    const lineReader = ksys.lines.reader(tables), runtimes = ksys.runtimes.reader(tables);
    const kinds = new Map();
    for (const [full, others] of [...tables.kinds].reverse()) for (const word of [full, `${full}s`, ...others]) kinds.set(word.toLowerCase(), full);
    const known = (word = "") => kinds.get(word.toLowerCase());
    const random = new RegExp(`-(?=[^-]*\\d)${parts.random.whole}$`), isPodName = (name) => random.test(name);
    // A Service, Job or Ingress in the API group of another project is a custom resource with the same name.
    const groups = [...tables.short_groups, ...tables.openshift_groups], isOwn = (group) => group.endsWith(".k8s.io") || groups.includes(group);
    const inGroup = (kind, group) => group === undefined || isOwn(group) || !known(kind) ? kind : `${kind}.${group}`;
    // A program, after an optional path or prompt.
    const program = new RegExp(`(?:^|[\\s/\\\\>$#%])(${tables.programs.join("|").replaceAll(".", "\\.")})(?!\\S)`);
    const promptEnd = new RegExp(`[${tables.prompt_ends.join("")}](?:\\s+\\S*)?$`);
    // Another program, followed by a word or an option. Rows of a table have wider gaps, and an age at the end.
    const another = new RegExp(`^ ?(${tables.others.join("|")}) [a-z-]+(?!\\S)(?!.*(  |\\t|\\d$))`);
    // Messages of kubectl up to 1.10, which `kubectl delete` still prints.
    const done = new RegExp(`^([a-zA-Z\\d-]+)(?:\\.([a-zA-Z\\d.-]+))? ["“]([^"”]*)["”] \\s*(?:${tables.done.join("|")})(?!\\S)`
      + "(?:\\s+from\\s+(\\S+)\\s+namespace(?!\\S))?");

    /** Whether a command can begin after a text: a prompt, another command, or only assignments, wrappers and a path. */
    function begins(before) {
      const isPlain = (word) => tables.wrappers.includes(word.split(/[/\\>$#%]/).at(-1)) || /^[A-Z_]+=/.test(word);
      const all = before.split(/\s+/).slice(0, -1), from = all.findLastIndex((word) => /^(&&|\|\||--)$|;$/.test(word)) + 1;
      return promptEnd.test(before) || all.slice(from).every(isPlain);
    }

    /** Parses a line as a command. Returns `{namespace, kind, excerpt, prints}`; a falsy value if it is not one. */
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
        // The command that prints the rows may follow one that does not.
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
        // A custom resource keeps its full name, so that no pattern of a built-in kind fits.
        const [asked, word, group = ""] = /^(?!all(?:\.|$))([a-zA-Z\d]+)(?:\.([a-zA-Z\d.-]*))?$/.exec(what.split("/", 1)[0]) ?? [];
        kind = (!group.includes(".") || isOwn(group)) && known(word) || asked;
        excerpt ||= !!more || what.includes("/");
      }
      // A command of several lines may have its verb in the next one.
      return (prompted || tables.verbs.includes(verb) || line.endsWith("\\")) && { namespace, kind, excerpt, prints };
    }

    const isType = (cell) => tables.service_types.includes(cell), isSomeType = (cell) => cell === "Opaque" || isType(cell);
    const isCell = (cell) => isCount(cell) || isSomeType(cell) || /^<|\//.test(cell) || STATE.test(cell) || NODE.test(cell);
    const isNamespace = (word) => word === "default" || isCompound(word);

    /**
     * Splits `deployment.apps/coredns` into kind and name. A READY cell is not split, nor is the type `kubernetes.io/tls` of a Secret.
     * `sure` is set if the kind is built into Kubernetes or has a group.
     */
    function kindAndName(cell) {
      const [, kind, group, name] = /^([a-z]{2,})(?:\.([^/]*))?\/(.+)/i.exec(cell) ?? [];
      const isGroup = group === undefined || group.includes(".") || tables.short_groups.includes(group);
      if (kind && isGroup) return { kind: inGroup(kind, group), name, sure: group ?? known(kind) };
    }

    const isRole = (cell) => /^(Cluster)?Role\//.test(cell);
    /** Returns the row of a Helm release with its chart, which is the cell after the status. */
    function release(row, cells) {
      const at = cells.findIndex((cell) => tables.helm_statuses.includes(cell)), [, chart] = (at >= 0 && /^(.*?)-v?\d/.exec(cells[at + 1])) || [];
      return { ...row, chart: isName(chart ?? "") ? chart : undefined };
    }

    /** Returns the kind that prints these cells after the name, if they are unambiguous. */
    function kindOf(cells) {
      const [first, second, third, fourth] = cells, { length } = cells, isCpu = /^\d+m?$/.test(first), isMemory = (cell) => /^\d+[KMGT]i$/.test(cell);
      const isShare = (cell) => /^(\d+%|<unknown>)$/.test(cell), isOld = length > 1 && isAge(cells.at(-1));
      if (SECRET.test(first) && isCount(second)) return "Secret";
      if (STATE.test(first) && isAge(second) && cells.length === 2) return "Namespace";
      if (isType(first)) return "Service";
      if (NODE.test(first) && isAge(third) && /^v/.test(cells[3])) return "Node";
      // `kubectl top`
      if (length === 2 && isCpu && isMemory(second)) return "Pod";
      if (length === 4 && isCpu && isShare(second) && isMemory(third) && isShare(fourth)) return "Node";
      if (first === "(default)") return kindOf(cells.slice(1));
      if (/[/.]/.test(first) && /^(Delete|Retain)$/.test(second) && /^(Immediate|WaitForFirstConsumer)$/.test(third)) return "StorageClass";
      if (length === 2 && /_[^_-]{8}(-[^_-]{4}){3}-[^_-]{12}$/.test(first) && isOld) return "Lease";
      if (length > 2 && isOld && /^(True|False)$/.test(second) && (first === "Local" || first.includes("/"))) return "APIService";
      if (length > 2 && isOld && [first, second].every((cell) => /^(true|false)$/.test(cell))) return "CSIDriver";
      // `helm list`: the namespace and the revision come after the name.
      if (isCount(second) && /^\d{4}-\d\d-\d\d$/.test(third)) return "HelmRelease";
      // Those of Flux, with the message of its controller.
      if (/(^| )(Release reconciliation|Helm (install|upgrade|rollback))( |$)/.test(cells.join(" "))) return "HelmRelease";
      if (READY.test(first) && CAPITAL.test(second)) return "Pod";
      if (READY.test(first) && isCount(second) && isCount(third) && cells.length === 4) return "Deployment";
      if (cells.length > 6 && cells.slice(0, 5).every(isCount)) return "DaemonSet";
    }

    /** Parses a row, with or without a namespace and a kind before the name. */
    function row(cells) {
      const [first, second] = cells, own = kindAndName(first), is = own ?? kindAndName(second);
      // If the second column is a state, a count or the type of a Service, the first is the name, not the namespace.
      const at = !own && (is || (cells.length > 2 && !isCell(second) && !kindOf(cells.slice(1)))) ? 1 : 0, rest = cells.slice(at + 1);
      return { namespace: at ? first : undefined, ...is ?? { kind: kindOf(rest), name: cells[at] }, rest };
    }

    /** Parses a row without a header, if it is unambiguously one. `alone`: the text has no other line. */
    function certain(cells, alone) {
      const [first = "", second, third] = cells;
      const named = (cells) => kindOf(cells) || (isCell(cells[0]) && isAge(cells.at(-1)));
      if (kindAndName(first)?.sure) return row(cells);
      // A RoleBinding or ClusterRoleBinding: the cell after the name is its role.
      if (isRole(second) && isAge(third) && isName(first)) return { kind: "ClusterRoleBinding", name: first };
      if (isRole(third) && isAge(cells[3]) && isName(first) && isName(second)) return { namespace: first, kind: "RoleBinding", name: second };
      if (second === undefined) {
        // A name only, or a name after its namespace.
        const [namespace, name = first] = split(first, "/");
        const isOwn = () => (alone || first.includes("-")) && !NO_NAME.test(first) && !tables.files.some((ending) => first.endsWith(ending));
        if (isName(name) && (namespace === undefined ? isOwn() : isNamespace(namespace))) return { namespace, name };
      } else if (kindAndName(second)?.sure) {
        if (isName(first) && (isCell(third ?? "/") || isAge(third))) return row(cells);
      } else if (third !== undefined) {
        // An event: the object that it is about has its kind as a prefix.
        if (isAge(first) && /^(Normal|Warning)$/.test(second)) return cells.map(kindAndName).find((is) => is?.sure);
        // A Pod of a Node, as `kubectl describe node` prints it, with its share of the CPU.
        if (/^\(\d+%\)$/.test(cells[3]) && isName(first) && isName(second)) return { namespace: first, kind: "Pod", name: second };
        if (kindOf(cells.slice(1)) === "HelmRelease" && isName(first) && isName(second)) return release({ namespace: second, kind: "HelmRelease", name: first, rest: cells.slice(1) }, cells);
        if (named(cells.slice(1)) || named(cells.slice(2))) return row(cells);
      } else if (isAge(second)) {
        if (isName(first) && /[-.:]/.test(first)) return { name: first };
      // A namespace and a name, as custom columns often have them.
      } else if (isNamespace(first) && isCompound(second)) return { namespace: first, name: second };
    }

    /** Returns the words of a header in capitals; with `POD NAME` as one title. */
    function capitalized(line) {
      const [first = ""] = words(line), at = /^(pod|namespace)$/i.test(first) ? line.search(/pod name/i) : -1;
      const before = line.slice(0, Math.max(at, 0)), after = line.slice(at + 8);
      const joined = at >= 0 && /^$|  $/.test(before) && /^$|^  /.test(after) ? `${line.slice(0, at + 3)}_${line.slice(at + 4)}` : line;
      const isCommon = words(joined).every((word) => tables.common_titles.includes(upper(word)));
      return words(/[a-z]/.test(first) && isCommon ? upper(joined) : joined);
    }

    /** Parses a header such as `NAMESPACE   NAME   READY   STATUS`. */
    function header(cells) {
      const [first] = cells, place = (title) => cells.indexOf(title);
      if (!CAPITAL.test(first)) return;
      // The Pods of a Node, as `kubectl describe node` prints them.
      if (cells.slice(0, 3).join(" ") === "Namespace Name CPU") return header(["NAMESPACE", "POD", ""]);
      const titles = cells.length > 1 && cells.every((cell) => /^[A-Z][^a-z]*$/.test(cell));
      // Tables of containers have a POD column. kubectl before 1.2 used this title for the name of a Pod, and CONTROLLER for that of a controller.
      const ofKind = titles && cells.some((cell) => tables.object_titles.includes(cell)) ? cells.findIndex((cell) => tables.kind_titles.includes(cell)) : -1;
      const named = [...tables.name_titles.map(place), ofKind].find((at) => at >= 0);
      const objects = titles && named === undefined && cells.includes("OBJECT");
      if (!/^NAME(SPACE)?$/.test(first) && !objects && !(titles && named >= 0)) return;
      const name = named ?? (first === "NAMESPACE" && cells.length > 1 ? 1 : 0), columns = cells.slice(name + 1);
      const fitting = tables.columns.filter(([own]) => own.every((title, at) => title === columns[at])).sort(([a], [b]) => b.length - a.length);
      const isBinding = columns[0] === "ROLE" && columns[1] === "AGE" && place("NAMESPACE") >= 0, title = cells[name];
      const kind = /^POD(_?NAME|S)?$/.test(title) ? "Pod" : tables.kind_titles.includes(title) ? known(title) : fitting[0]?.[1] ?? (isBinding ? "RoleBinding" : undefined);
      // A row with at least this many cells ends in a time.
      const whole = cells.at(-1) === "AGE" ? cells.length : Infinity;
      return { name, namespace: Math.max(place("NAMESPACE"), place("PROJECT")), kindAt: place("KIND"), objects, next: columns[0], kind, whole, length: cells.length };
    }

    /** Parses a message about a completed action: `pod "web-0" deleted from prod namespace`. */
    function doneTo(text) {
      const [, kind, group, name, namespace] = done.exec(text) ?? [];
      if (group !== undefined || known(kind)) return { namespace, kind: inGroup(kind, group), name };
    }

    /** Parses a row of a table with a known header. */
    function below(header, cells) {
      // Behind the name, `3 (5d ago)` is one column.
      const begins = (at) => cells[at]?.[0] === "(" && cells[at + 1] === "ago)";
      const columns = () => cells.filter((_, at) => !begins(at) && !(cells[at] === "ago)" && begins(at - 1)));
      // A cluster-scoped object has an empty namespace cell, so its cells are one to the left.
      const moved = header.namespace + 1 === header.name && kindAndName(cells[header.namespace])?.sure ? 1 : 0;
      const at = header.name - moved, isBehind = header.namespace > at, isLast = header.namespace + 1 === header.length;
      // Dates consist of several words, so that the last column is the last word.
      const printed = moved ? undefined : isBehind && isLast ? cells.at(-1) : (isBehind ? columns() : cells)[header.namespace];
      // A namespace of containerd has dots: `k8s.io  kube-system/etcd-node1:etcd`.
      const isContainerd = !!printed?.includes(".") && !!cells[at]?.includes("/"), namespace = isContainerd ? undefined : printed;
      const name = isContainerd ? cells[at].split(":")[0] : cells[at], cell = cells[at + 1], { next } = header;
      if (header.objects) {
        const is = cells.map(kindAndName).find((is) => is?.sure);
        return is && { namespace, ...is };
      }
      const suits = () => next === "TYPE" && header.kind ? isSomeType(cell) || /[/.-]/.test(cell) : CELLS.find(([title]) => title.test(next))?.[1].test(cell) ?? true;
      const fits = next === undefined ? cell === undefined
        // Truncated, or copied without the other columns.
        : cell === undefined ? /^[a-z].*[-/.\d]/i.test(name)
        : (cells.length + moved < header.whole || /^</.test(cells.at(-1)) || isAge(cells.at(-1))) && suits();
      if (name === undefined || !fits) return;
      const rest = cells.slice(at + 1), kind = cells[header.kindAt] ?? header.kind ?? kindOf(rest);
      // In a column of names, a word without a group that is no kind of Kubernetes is a namespace, which has no capitals.
      const own = kindAndName(name), [of, inside] = own?.sure || namespace !== undefined ? [] : split(name, "/");
      const is = isName(of ?? "") && !/[.A-Z]/.test(of) && isName(inside) ? { namespace: of, kind, name: inside } : own ?? { kind, name };
      const row = { namespace, ...is, rest, cut: !cell && next !== undefined };
      return header.kind === "HelmRelease" ? release(row, cells) : row;
    }

    /** Parses a listing: the output of any number of kubectl commands in any format, with other text around it. The text must be clean. */
    function listing(text) {
      const lines = text.split("\n"), rows = [];
      if (!lines.at(-1)) lines.pop();
      let others = 0;
      lines.some((line) => line.trim() && !command(line.trim()) && ++others > 1);
      // The header of the current table, with the prefix of its lines (users comment out whole tables); the namespace and the kind of the last command; the row of
      // the described object; whether a command continues in the next line; whether braces and keys are known not to begin an object.
      // `runtime` is what the rows of the current table are, if it is that of a container runtime.
      let table, runtime, hasTables = false, inside, kind, described, inCommand, noObjects, hasManifests = false, excerpt = false;
      // Whether the last command prints objects and none have followed yet; whether the line is inside a Markdown code block; whether a table or a row has
      // followed the last command; whether rows were omitted since then, so that a row outside a table may be the output of another command.
      let awaits, inBlock, printed, leftOut;

      /**
       * Adds a row, completed with the namespace and the kind of the command above. Returns an empty object if the words cannot be names.
       * `nodes` has the labels of the Nodes on which a DaemonSet needs Pods, and whether there are any such Nodes.
       */
      function complete(line, { namespace, kind: own, name: shown, rest = [], cut, image, chart, value }) {
        const [, before, more] = /^([^]*?)(…|\.{3})?$/.exec(shown), base = before.length <= tables.longest ? withoutMask(before) : undefined;
        let name = base ?? before;
        // Only Pods have random suffixes, which are masked.
        let full = known(own) ?? own, of = full || kind || (base && "Pod");
        // `istioctl proxy-status` prints the namespace of a Pod after its name.
        const dot = namespace === undefined ? name.indexOf(".") : -1;
        if (dot >= 0 && isPodName(name.slice(0, dot))) [name, namespace, full, of] = [name.slice(0, dot), name.slice(dot + 1), "Pod", "Pod"];
        const selector = rest.find((cell) => !isCount(cell)) ?? "";
        const told = value && details(full, value);
        const nodes = told ? told.nodes : full === "DaemonSet" && isCount(rest[0]) && { labels: /[=/]/.test(selector) ? selector.split(",") : [], any: rest[0] !== "0" };
        namespace ??= tables.cluster_scoped.includes(of) ? undefined : inside;
        const isCut = !base && (more || cut);
        const row = { line, text: lines[line - 1].trim(), namespace, kind: of, name, cut: isCut, masked: !!base, image, chart, nodes };
        Object.assign(row, told ? { health: told.health, object: told.object } : { health: health(full, rest, tables.helm_statuses) });
        // A truncated name may end in any character. The repository of an image has slashes.
        const whole = isCut ? name.replace(/[-.:_]+$/, "") : name, isImage = of === "Image" && ksys.runtimes.isRepository(name);
        const isNode = of === "Node", isObject = isName(whole) && (isNode || !isNumeric(whole)), where = namespace ?? "x";
        if (!isImage && !(isObject && isName(where) && !isNumeric(where))) return {};
        rows.push(row);
        return row;
      }

      /** Splits a line into its prefix and its content. */
      function unmarked(line) {
        const [marks] = MARK.exec(line);
        return { marks, rest: line.slice(marks.length).trim().replace(TAGS, "") };
      }

      /** Returns the command of a line, with or without a prefix or backticks. */
      function commandIn(line) {
        const { marks, rest } = unmarked(line);
        return command(line) || ((marks || rest[0] === "`") && command(unquoted(rest, /`/)));
      }

      /** Applies the namespace and the kind of a command to the rows below. */
      function follow({ namespace, kind: asked, prints, excerpt: part }) {
        excerpt ||= part;
        if (inCommand) [inside, kind] = [namespace ?? inside, asked ?? kind];
        // The order of the outputs of consecutive commands is unknown, so only what all of them have in common applies.
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
        if (typed || fence) table = runtime = described = noObjects = undefined;
        inCommand = typed && line.endsWith("\\");
        if (typed || fence || !line) return;
        const inner = lineReader.content(rest), ofRuntime = runtimes.table(inner), found = header(capitalized(inner)), [key, value] = split(line, ":"), [told, where, of] = TOLD.exec(line) ?? [];
        // Inside a code block `##` begins a comment, and a single `#` does so anywhere.
        if (line === "Allocated resources:" || (printed && !inBlock && /^##+ /.test(line))) table = runtime = described = inside = kind = undefined;
        // Either rows of this table are omitted, or everything up to another table.
        else if (LEFT_OUT.includes(line)) leftOut = printed;
        else if (where ? isName(where) : told) {
          table = runtime = described = undefined;
          if (where) [inside, kind] = [where];
          else if (/^[a-z]*$/i.test(of)) kind = known(of) ?? of;
        } else if (ofRuntime || found) {
          [table, runtime, described] = [ofRuntime ? undefined : { mark, ...found }, ofRuntime];
          printed = hasTables = true;
        // The first line of `kubectl describe`; later lines determine the namespace and the kind.
        } else if (key === "Name" && /^\s/.test(value)) {
          hasTables = true;
          described = complete(number, { name: value.trim() });
        } else if (described?.name && key !== undefined) {
          if (key === "Namespace" && isName(value.trim())) described.namespace = value.trim();
          described.kind ??= tables.described.find(([known, begins]) => known === key && value.trimStart().startsWith(begins))?.[2];
        } else {
          const isBelow = table?.mark === mark, text = withoutComment(inner), cells = words(text);
          // In a comment, only a row with an id is certain to be one.
          const ofContainer = !table && (runtime || !described) && (mark !== "#" || ksys.runtimes.hasId(text));
          let row = (ofContainer && runtimes.row(runtime, text)) || undefined;
          if (!row && ofContainer && runtime) {
            row = text.includes("/") ? certain(cells, false) : undefined;
            if (row?.kind === undefined) return;
          }
          row ??= (isBelow && below(table, cells)) || doneTo(text);
          if (!row && (isBelow ? text.includes("/") : !described)) {
            row = certain(cells, others === 1 && !isBelow);
            // Listings may lack their header. In a comment, a name alone is only a word; in a list, too, unless it is a Pod's.
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
          table = runtime = described = awaits = undefined;
          hasTables = hasManifests = true;
        } else {
          // A block without any object is not parsed again from its second line on: that would take quadratic time.
          if (count) noObjects = true;
          for (const part of lineReader.parts(line)) understand(at + 1, part);
        }
      }
      const taken = new Set(rows.map(({ line }) => line));
      const isText = (line, at) => line.trim() && !taken.has(at + 1);
      // Next to tables, only lines that report a problem are about components; see src/explain.rs.
      const isSearched = (line) => !hasManifests && (!hasTables || ksys.reportsProblem(line));
      const all = lines.flatMap((line, at) => isText(line, at) && isSearched(line) ? [{ line: at + 1, text: line.trim() }] : []);
      const named = all.flatMap((of) => mentions(of.text).map((one) => ({ ...of, ...one }))), texts = all.filter(({ text }) => !command(text));
      return { rows: rows.sort((a, b) => a.line - b.line), excerpt, hasTables, named, texts };
    }

    const mentions = ksys.mentions({ known, kindAndName, parts });
    return listing;
  }

  ksys.kubectl = { clean, reader };
}
