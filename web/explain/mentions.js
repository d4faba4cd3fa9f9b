// Names of objects in text that is not a table. It follows src/listing/mentions.rs rule for rule; the reasons are documented there.
{
  const { isName, isNumeric } = ksys.lines, { UUID, isReference, image, podOfDocker } = ksys.runtimes;
  // How certain a name is: that of a Pod; if a component has it; if a component has it in this namespace; if a component has a workload of this name.
  const POD = "pod", OF_COMPONENT = "component", IN_NAMESPACE = "namespace", OF_WORKLOAD = "workload";
  // The number of words up to which a line has the columns of an event, and not its message.
  const MOST_COLUMNS = 8;
  // The number of words up to which a line is a sentence, in which a name may be a bare word.
  const MOST_WORDS = 100;
  const KEY = /^([Nn]amespace|[Nn]ame|pod|container):([^:]+)$/;

  /** Whether a line reports that something is wrong: an event of the type Warning, an error. */
  ksys.reportsProblem = (line) => /Warning|rror|ailed/.test(line);

  /** Returns the reader of such names. `known` returns the kind of a word, `kindAndName` splits a prefixed name, `parts` are the expressions for parts of names. */
  ksys.mentions = ({ known, kindAndName, parts }) => {
    const [random, template] = ["random", "template"].map((part) => new RegExp(`^(?:${parts[part].whole})$`));
    const isObjectName = (word) => isName(word) && !isNumeric(word) && !word.includes("_");
    const trimmed = (word) => word.replace(/^[.:_@-]+|[.:_@-]+$/g, "").replace(/\/+$/, "");

    function isPodName(name) {
      const words = name.split("-"), last = words.at(-1);
      return words.length > 1 && random.test(last) && (/\d/.test(last) || (words.length > 2 && template.test(words.at(-2))));
    }
    const podOrComponent = (name) => isPodName(name) ? POD : OF_COMPONENT;

    function checked(namespace, kind, name, certainty) {
      const isNamespace = namespace === undefined || (isObjectName(namespace) && !namespace.includes("."));
      if (isObjectName(name) && isNamespace) return { row: { namespace, kind, name }, certainty };
    }

    function key(path) {
      const all = path.split("/"), [a, b, c, d] = all;
      if (all.length === 4) return a === "services" && /^(specs|endpoints)$/.test(b) ? checked(c, "Service", d, OF_COMPONENT) : checked(c, known(b), d, podOrComponent(d));
      if (all.length === 3) return known(a) ? checked(b, known(a), c, podOrComponent(c)) : a.includes(".") ? checked(undefined, known(b), c, OF_COMPONENT) : undefined;
      if (all.length === 2 && known(a)) return checked(undefined, known(a), b, OF_COMPONENT);
    }

    function object(path) {
      const all = path.split("/"), first = all[0].split(":").at(-1), [last] = all.at(-1).split(":");
      if (all.length === 2) {
        if (known(first) || first.includes(".")) {
          const is = kindAndName(`${first}/${last}`);
          return is && checked(undefined, known(is.kind) ?? is.kind, is.name, OF_COMPONENT);
        }
        return isPodName(last) ? checked(first, "Pod", last, POD) : checked(first, undefined, last, IN_NAMESPACE);
      }
      if (all.length !== 3) return;
      const [, second, third] = all;
      if (known(second)) return checked(first, known(second), last, podOrComponent(third));
      // `kubectl logs --prefix`
      if (all[0] === "pod" && (isPodName(second) || !isPodName(third))) return checked(undefined, "Pod", second, OF_COMPONENT);
      if (known(first)) return checked(second, known(first), last, podOrComponent(third));
      if (/^[A-Z]/.test(all[0])) return checked(second, all[0], last, OF_COMPONENT);
      if (isPodName(second)) return checked(first, "Pod", second, POD);
    }

    /** Returns the process that wrote a line of the system's log. */
    function processOfLog(line) {
      const [, before] = /^([^[]*)\[\d+\]:/.exec(line) ?? [];
      return before === undefined ? undefined : checked(undefined, "Process", before.split(/\s/).at(-1), OF_COMPONENT);
    }

    /** Returns the process of a socket, as netstat and ss print it. */
    function processOfSocket(line) {
      const [, ofSs] = /users:\(\("([^"]*)/.exec(line) ?? [], [, ofNetstat] = /^(?:tcp|udp)/.test(line) ? /^\d*\/(.*)$/.exec(line.trimEnd().split(/\s/).at(-1)) ?? [] : [];
      return (ofSs ?? ofNetstat) === undefined ? undefined : checked(undefined, "Process", ofSs ?? ofNetstat, OF_COMPONENT);
    }

    /** Returns the process of a line of a drawn tree. */
    function processOfTree(line) {
      const [, command] = /^[│├└─ ]+\d+ (.*)$/s.exec(line) ?? [], [first] = command?.split(/\s+/).filter(Boolean) ?? [];
      return first === undefined ? undefined : checked(undefined, "Process", first.slice(first.lastIndexOf("/") + 1), OF_COMPONENT);
    }

    /** Returns the container in a heading of `minikube logs`. */
    function containerOfHeading(line) {
      const inner = line.startsWith("==> ") ? line.slice(4) : "";
      return inner.endsWith(" <==") ? checked(undefined, "Container", inner.slice(0, -4).split(" ", 1)[0], OF_COMPONENT) : undefined;
    }

    /** Returns the words that can be the source of an event. */
    function sourcesOfEvent(words) {
      const columns = words.slice(0, MOST_COLUMNS).map(([, , word]) => word);
      return columns.some((word) => /^(Normal|Warning)$/.test(word)) ? columns.map((word) => checked(undefined, "EventSource", word, OF_COMPONENT)) : [];
    }

    /** Returns the kind in the word before a name. */
    function kindBefore(word) {
      const [, named] = /^([^.]+)Name(?:\..*)?\/*$/s.exec(word) ?? [];
      if (named) return known(named);
      const [, plural] = /^([a-z]*)(?:\.[a-z\d.-]*)?\/*$/.exec(word) ?? [];
      return /^containers?$/.test(plural) ? "Container" : plural ? known(plural) : undefined;
    }

    /** Returns the kind of an object whose name is an API. */
    function kindOfDotted(name) {
      const at = name.indexOf("."), first = name.slice(0, at), group = name.slice(at + 1);
      if (at < 0 || !group.includes(".") || !/[a-z]$/.test(group)) return;
      if (/^v\d/.test(first)) return "APIService";
      if (/^[a-z]*s$/.test(first) && !group.startsWith("svc.")) return "CustomResourceDefinition";
    }

    function mention(word, kind, isList) {
      const ofDocker = podOfDocker(word);
      if (ofDocker) return { row: ofDocker, certainty: POD };
      const scheme = word.indexOf("://"), address = scheme < 0 ? word : word.slice(scheme + 3);
      const [, service, inside] = /^([A-Za-z\d-]+)\.([A-Za-z\d-]+)\.svc(?![A-Za-z\d-])/.exec(address) ?? [];
      if (service && isName(service) && isName(inside)) return checked(inside, "Service", service, OF_COMPONENT);
      if (isReference(word)) {
        const row = image(word);
        return row && { row, certainty: OF_COMPONENT };
      }
      if (word.startsWith("/registry/")) return key(word.slice(10));
      const api = word.indexOf("/namespaces/");
      if (api >= 0) {
        const [namespace, plural, name] = word.slice(api + 12).split("/");
        return name === undefined ? undefined : checked(namespace, known(plural), name, OF_COMPONENT);
      }
      const [version, applied, own] = word.split("/").slice(-3);
      if (own !== undefined && word.split("/").length > 3 && /^v\d/.test(version) && known(applied)) {
        const found = checked(undefined, known(applied), own, OF_COMPONENT);
        if (found) return found;
      }
      if (word.startsWith("/")) return;
      if (word.includes("/")) return object(word);
      // The holder of a lock.
      const [, holder, id, more] = word.split("_");
      if (more === undefined && id?.length === UUID && isPodName(holder)) return checked(undefined, "Pod", holder, OF_COMPONENT);
      const at = word.indexOf("_");
      if (at >= 0) {
        const pod = word.slice(0, at);
        return checked(word.slice(at + 1), "Pod", pod, isPodName(pod) ? POD : IN_NAMESPACE);
      }
      const [name] = word.split(":"), dotted = kindOfDotted(name);
      if (dotted) return checked(undefined, dotted, name, OF_COMPONENT);
      if (name.includes("-") && random.test(name.slice(name.lastIndexOf("-") + 1))) return checked(undefined, kind ?? "Pod", name, OF_COMPONENT);
      // After its kind, a name of several words.
      return isList || (kind && name.includes("-")) ? checked(undefined, kind, name, OF_COMPONENT) : undefined;
    }

    /** Whether a word is the value of a key: after `=`, or after a colon at the end of the word before. */
    const isValueOf = (between, last) => between.includes("=") || last.endsWith(":");

    /** Returns the names in a line: `{row, certainty}`. */
    return (line) => {
      // Each word with the text between it and the word before.
      let end = 0;
      const words = [...line.matchAll(/[A-Za-z\d._/:@-]+/g)].flatMap(({ 0: word, index }) => {
        const between = line.slice(end, index);
        end = index + word.length;
        const [, key, value] = KEY.exec(word) ?? [];
        return key === undefined ? [[, between, word]] : [[, between, key], [, "=", value]];
      });
      const found = [processOfLog(line) ?? processOfSocket(line) ?? processOfTree(line) ?? containerOfHeading(line), ...sourcesOfEvent(words)].filter(Boolean);
      const isList = words.length > 1 && words.every(([, , word]) => word.includes("-") && isObjectName(word));
      let namespace, before = "", last = "";
      for (const [, between, word] of words) {
        const plain = trimmed(word), isQuoted = /["'`“‘[]$/.test(between), isValue = isValueOf(between, last);
        last = word;
        if (!plain) continue;
        // `-n shop`, `namespace="shop"`, but not `the namespace is …`.
        const key = ksys.lines.lower(before), isNamed = isValue || plain === "default" || plain.includes("-");
        if ((/^(-n|--namespace)$/.test(key) || (/^(namespace|ns)$/.test(key) && isNamed)) && isName(plain)) {
          namespace = before = plain;
          continue;
        }
        if (plain === "name" && kindBefore(before)) continue;
        if (plain === "for" && /^(Start|Kill)Container$/.test(before)) {
          before = "container";
          continue;
        }
        const kind = kindBefore(before);
        const one = mention(plain, kind, isList)
          // A name in quotation marks after its kind, or one of several words.
          ?? (isQuoted && (kind || plain.includes("-")) ? checked(undefined, kind, plain, OF_COMPONENT) : undefined)
          // `namespace="kube-system" name="coredns"`
          ?? (isValue && key === "name" ? checked(undefined, undefined, plain, IN_NAMESPACE) : undefined);
        if (one) found.push(one);
        before = word.startsWith("-") ? word : word.replace(/:+$/, "");
      }
      const isPlaced = ({ row, certainty }) => certainty !== IN_NAMESPACE || row.namespace !== undefined || namespace !== undefined;
      // The Pod of a container says more.
      const hasPod = found.some(({ row }) => row.kind === "Pod"), kept = found.filter((one) => isPlaced(one) && !(hasPod && one.row.kind === "Container"));
      // A sentence without other names of the same object: `hubble-relay restarts`.
      const isBare = ([, between, word], at) => !word.startsWith("-") && !isValueOf(between, words[at - 1]?.[2] ?? "") && !trimmed(word).includes(".");
      const names = (words.length > MOST_WORDS ? [] : words.filter(isBare)).map(([, , word]) => trimmed(word)).filter((name) => name.includes("-"));
      const isNew = (name) => name !== namespace && !kept.some(({ row }) => row.name.includes(name));
      const mentioned = names.filter(isNew).map((name) => checked(undefined, undefined, name, OF_WORKLOAD)).filter(Boolean);
      for (const one of mentioned) one.row.mentioned = true;
      kept.push(...mentioned);
      for (const one of kept) {
        if (one.row.namespace !== undefined || namespace === undefined) continue;
        one.row.namespace = namespace;
        if (one.certainty === IN_NAMESPACE) one.certainty = OF_COMPONENT;
        if (one.row.kind === "Pod" && isPodName(one.row.name)) one.certainty = POD;
      }
      return kept;
    };
  };
}
