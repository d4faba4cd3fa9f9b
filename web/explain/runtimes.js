// The output of container runtimes and of `ps`. It follows src/listing/runtimes.rs rule for rule; the reasons are documented there.
{
  // The length of a UUID.
  const UUID = 36;
  const { words, isName } = ksys.lines;
  const HEX = /^[\da-f]{10,}$/, REPOSITORY = /^(?![^]*\/\/)[a-z\d](?:[a-z\d._/-]*[a-z\d])?$/;

  const isRepository = (path) => REPOSITORY.test(path);
  const pod = (name, namespace) => ({ namespace, kind: "Pod", name });

  /** Returns the path of the repository of an image, without the registry, the tag and the digest; undefined for other text. */
  function repository(reference = "") {
    let [name] = reference.split("@");
    const colon = name.indexOf(":", name.lastIndexOf("/") + 1);
    if (colon >= 0) name = name.slice(0, colon);
    const slash = name.indexOf("/"), host = name.slice(0, Math.max(slash, 0));
    const path = /[.:]/.test(host) || host === "localhost" ? name.slice(slash + 1) : name;
    return isRepository(path) && !HEX.test(path) && path !== "sha256" ? path : undefined;
  }

  /** Whether a row has the id of a container or a Pod in its first column, or that of an image in the third. */
  const hasId = (line) => words(line).some((word, at) => (at === 0 || at === 2) && HEX.test(word));

  /** Returns the row of an image. */
  function image(reference) {
    const name = repository(reference);
    return name && { kind: "Image", name };
  }

  /** Whether a text has the form `rancher/rancher-agent:v2.10.1`. `kube-system/coredns:53` has a port. */
  function hasVersion(text) {
    const [name] = text.split("@"), colon = name.lastIndexOf(":"), path = name.slice(0, Math.max(colon, 0)), tag = name.slice(colon + 1);
    return path.includes("/") && isRepository(path) && (tag === "latest" || /^(v\d|\d[^]*\.)/.test(tag) || HEX.test(tag)) && !/\s/.test(text);
  }

  /** Whether a text is the name of an image and nothing else: with its registry and a tag or a digest, or of Docker Hub with a version. */
  function isReference(text) {
    const slash = text.indexOf("/"), host = text.slice(0, Math.max(slash, 0));
    const isOfRegistry = host.includes(".") && /^[a-z\d.:-]*$/.test(host) && !/\s/.test(text) && /[:@]/.test(text.slice(text.lastIndexOf("/") + 1));
    return isOfRegistry || hasVersion(text);
  }

  /** Returns the Pod in the name of a container of Docker or nerdctl. */
  function podOfDocker(word) {
    const parts = word.startsWith("k8s_") ? word.slice(4).split("_") : [];
    // The name of a sandbox of CRI-O has no container.
    const [first, second] = parts[2]?.length === UUID ? parts : parts.slice(1), path = word.startsWith("k8s://") && word.slice(6).split("/");
    const [namespace, name] = path || [second, first];
    if (namespace !== undefined && isName(namespace) && isName(name)) return pod(name, namespace);
  }

  /** Returns the process of a line of `ps`, `top` or `docker top`. */
  function process(cells) {
    const isTime = (cell = "") => /^[\d:.]+$/.test(cell) && cell.includes(":"), isPid = (cell) => /^\d+$/.test(cell), isUser = (at) => /^[a-z]/.test(cells[at] ?? "") && isName(cells[at]);
    const columns = isPid(cells[1]) ? [9, 6, 7] : isPid(cells[0]) && isUser(1) ? [8, 2] : isUser(0) ? [1] : [];
    const at = columns.find((at) => isTime(cells[at]));
    if (at === undefined) return;
    // The state, which is a capital, and the lines of a tree are not the command.
    const command = cells.slice(at + 1).find((cell) => cell.length > 1 && /[a-z\d]/i.test(cell));
    const name = command?.split("/").at(-1).replace(/:+$/, "") ?? "";
    if (isName(name)) return { kind: "Process", name };
  }

  ksys.runtimes = { UUID, isReference, isRepository, image, podOfDocker, hasId };
  /** Returns the parser of such output for these lookup tables. */
  ksys.runtimes.reader = ({ runtime_tables: all, container_states: containers, sandbox_states: sandboxes }) => {
    /** Returns the row of a container, or of a Pod of `crictl pods`. */
    function container(table, cells) {
      // Docker quotes the command; its status is not a state of crictl.
      const isDocker = cells.some((cell) => /^["“]/.test(cell));
      const at = isDocker ? -1 : cells.findIndex((cell, at) => at && (containers.includes(cell) || sandboxes.includes(cell)));
      const word = (at) => isName(cells[at] ?? "") && !/^\d+$/.test(cells[at]) ? cells[at] : undefined;
      const of = repository(cells[1]);
      if (at > 0) {
        const name = word(at + 1), namespace = word(at + 2);
        if (sandboxes.includes(cells[at])) return name && namespace && pod(name, namespace);
        if (name && word(at + 4) && HEX.test(cells[at + 3])) return pod(word(at + 4), word(at + 5));
        return name && { kind: "Container", name, image: of };
      }
      if (table !== "containers") return;
      // Docker truncates long names, which still have the name of the container.
      const [, truncated] = /^k8s_([^_]*)/.exec(cells.at(-1)) ?? [], last = word(cells.length - 1) ?? (isName(truncated ?? "") ? truncated : undefined);
      const name = cells.length > 3 && !last?.includes(":") && last;
      return name ? { kind: "Container", name, image: of } : of && { kind: "Image", name: of };
    }

    return {
      /** Returns what the rows below a header are. */
      table(line) {
        const cells = words(line);
        return all.find(([begins]) => begins.every((title, at) => title === cells[at]))?.[1];
      },
      /** Returns the row of a line in such a table, or of a line that only a runtime prints. */
      row(table, line) {
        const cells = words(line), [first = ""] = cells;
        // A sentence can name several containers, which is not a row.
        const own = cells.map(podOfDocker).filter(Boolean);
        if (own.length && (table || HEX.test(first) || (first.startsWith("k8s") && own.length === 1))) return own.at(-1);
        if (HEX.test(first)) return container(table, cells);
        if (table === "images") return image(first);
        if (table === "containers") return;
        // A list of images without its header: the name, the tag, the id and the size.
        if (cells.length > 1 && line.endsWith("B") && HEX.test(cells[2] ?? "")) return image(first);
        return cells.length === 1 ? isReference(first) && image(first) : process(cells);
      },
    };
  };
}
