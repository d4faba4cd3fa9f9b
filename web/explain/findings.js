// What follows from whole objects: versions, requested resources, the removal of Nodes, and what to do about unhealthy objects. It follows
// src/explain/{versions,cost,scale_down,trouble,symptoms}.rs rule for rule; the reasons are documented there.
globalThis.ksys ??= {};
{
  const SYSTEM_NAMESPACE = "kube-system";
  const NUMBERS = /^v?(\d+(?:\.\d+){0,2})/;
  const WORKLOADS = /^(Deployment|DaemonSet|StatefulSet|ReplicaSet)$/;
  // The statuses of Pods, by what is wrong.
  const STATUSES = [
    ["out-of-memory", /^OOMKilled$/],
    ["crash-loop", /^(CrashLoopBackOff|Error|RunContainerError|ContainerCannotRun|StartError|ExitCode:.*|Signal:.*)$/],
    ["image", /^(ImagePullBackOff|ErrImagePull|InvalidImageName|ErrImageNeverPull|ImageInspectError)$/],
    ["unscheduled", /^(Pending|SchedulingGated|Unschedulable)$/],
    ["starting", /^(ContainerCreating|PodInitializing|CreateContainerConfigError|CreateContainerError)$/],
    ["evicted", /^Evicted$/],
    ["terminating", /^Terminating$/],
    ["not-ready", /^(Running|NotReady)$/],
  ];

  /** Returns the repository of an image without the registry, and its tag. */
  function imageOf(reference) {
    const [image] = reference.split("@"), [, host] = /^([^/]*)\//.exec(image) ?? [];
    const path = host !== undefined && (/[.:]/.test(host) || host === "localhost") ? image.slice(host.length + 1) : image;
    const [, repository, tag] = /^([^]*?)(?::([^/:]*)(?:[^/]*))?$/.exec(path);
    return { repository, tag: /^[^:]*:(.+)$/s.exec(image.split("/").at(-1))?.[1] };
  }
  const isImage = (path, fact) => path === fact || path.endsWith(`/${fact}`);

  /** Compares two lists of numbers. */
  function compare(a, b) {
    for (let at = 0; at < Math.max(a.length, b.length); at++) if (a[at] !== b[at]) return (a[at] ?? -1) - (b[at] ?? -1);
    return 0;
  }

  /** Returns the state of support of a version. `support`: `[numbers]` or `release`. */
  function supportOf(tag, support, { releases, today }) {
    const [, found = ""] = NUMBERS.exec(tag) ?? [], numbers = found.split(".").filter(Boolean).map(Number);
    const told = { supported: null, oldest: null, end: null };
    if (Array.isArray(support) && numbers.length) Object.assign(told, { supported: compare(numbers, support) >= 0, oldest: support.join(".") });
    if (support === "release" && numbers.length >= 2) {
      told.end = releases[numbers.slice(0, 2).join(".")] ?? null;
      told.supported = told.end === null || !today ? null : today <= told.end;
    }
    return told;
  }

  /** Returns the versions of the components, from the images of their objects. */
  function versions(rows, guide, today, provider) {
    const seen = new Set(), found = new Map();
    for (const { owner, object } of rows) {
      const { images = [], support } = owner ? guide.components[owner.component] : {};
      if (!owner) continue;
      if (!found.has(owner.component)) found.set(owner.component, []);
      for (const reference of object?.spec?.images ?? []) {
        const { repository, tag } = imageOf(reference);
        if (!repository || tag === undefined || !images.some((own) => isImage(repository, own)) || seen.has(`${owner.component} ${tag}`)) continue;
        seen.add(`${owner.component} ${tag}`);
        found.get(owner.component).push({ component: guide.components[owner.component].id, version: tag, ...supportOf(tag, support, { releases: guide.releases, today }) });
      }
    }
    const all = [...found.values()].flat(), number = ({ component }) => guide.components.findIndex(({ id }) => id === component);
    // The release of the cluster: that of the first component that has the versions of the releases.
    const releases = all.filter((version) => guide.components[number(version)].support === "release").map(({ version }) => NUMBERS.exec(version)?.[1].split("."));
    const release = releases.find((numbers) => numbers?.length > 1)?.slice(0, 2).map(Number).join(".");
    const shipped = provider?.shipped?.[release] ?? {};
    for (const version of all) version.shipped = (shipped[number(version)] ?? []).map(([kind, of]) => ({ release, kind, version: of }));
    return all;
  }

  const nothing = () => ({ cpu: 0, memory: 0 });
  function add(sum, { cpu, memory }, times = 1) {
    sum.cpu += cpu * times;
    sum.memory += memory * times;
  }
  const emptySum = () => ({ pods: 0, requests: nothing(), limits: nothing(), without_requests: 0, without_limits: 0 });
  function addPods(sum, spec, pods) {
    sum.pods += pods;
    add(sum.requests, spec.requests, pods);
    add(sum.limits, spec.limits, pods);
    sum.without_requests += spec.withoutRequests * pods;
    sum.without_limits += spec.withoutLimits * pods;
  }
  const sorted = (map) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

  /** Returns what Pods request; null if there are neither whole Pods nor workloads. */
  function cost(rows, guide) {
    const seen = new Set(), components = new Map(), nodes = new Map();
    const found = { system: emptySum(), own: emptySum(), allocatable: null, components: [], nodes: [], from_templates: !rows.some(({ object }) => object?.type === "pod") };
    const entry = (name) => nodes.get(name) ?? nodes.set(name, { node: name, allocatable: null, system: nothing(), own: nothing() }).get(name);
    let any = false;
    for (const { kind, namespace, name, owner, object } of rows) {
      const identity = [kind, namespace, name].join("\n");
      let pods = 1, controller, node;
      if (object?.type === "pod" && !object.finished) ({ controller, node } = object);
      else if (object?.type === "workload" && found.from_templates && object.controller === null) [pods, controller] = [object.desired, kind];
      else {
        if (object?.type === "node" && (object.cpu ?? object.memory) !== null && !seen.has(identity)) {
          seen.add(identity);
          const own = { cpu: object.cpu ?? 0, memory: object.memory ?? 0 };
          add(found.allocatable ??= nothing(), own);
          entry(name).allocatable = own;
        }
        continue;
      }
      if (seen.has(identity)) continue;
      seen.add(identity);
      any = true;
      const id = owner ? guide.components[owner.component].id : null, isSystem = owner || namespace === SYSTEM_NAMESPACE;
      addPods(isSystem ? found.system : found.own, object.spec, pods);
      if (isSystem) {
        if (!components.has(id)) components.set(id, { component: id, per_node: true, ...emptySum() });
        const own = components.get(id);
        own.per_node &&= controller === "DaemonSet";
        addPods(own, object.spec, pods);
      }
      if (node) add(isSystem ? entry(node).system : entry(node).own, object.spec.requests);
    }
    const order = ({ component: a, requests: x }, { component: b, requests: y }) => y.cpu - x.cpu || y.memory - x.memory || ((a ?? "") < (b ?? "") ? -1 : 1);
    found.components = [...components.values()].sort(order);
    found.nodes = sorted(nodes).map(([, node]) => node);
    return any ? found : null;
  }

  /** Returns why a Pod keeps its Node, with its local volumes; undefined if it does not. */
  function blockReason(pod, namespace, budgets) {
    if (pod.mirror || /^(DaemonSet|Node)$/.test(pod.controller ?? "")) return;
    const own = budgets.filter(({ labels }) => Object.entries(labels).every(([label, value]) => Object.hasOwn(pod.labels, label) && pod.labels[label] === value));
    const isExhausted = own.some(({ allowed, hasExpressions }) => allowed === 0 && !hasExpressions);
    const volumes = pod.spec.volumes.filter((volume) => !pod.evictableVolumes.includes(volume));
    if (pod.doNotDisrupt) return { reason: "do-not-disrupt", volumes: [] };
    if (pod.safeToEvict === true) return isExhausted ? { reason: "budget", volumes: [] } : undefined;
    if (pod.controller === null) return { reason: "no-controller", volumes: [] };
    if (namespace === SYSTEM_NAMESPACE && !own.length) return { reason: "system-pod", volumes: [] };
    if (pod.safeToEvict === false) return { reason: "not-safe-to-evict", volumes: [] };
    if (volumes.length) return { reason: "local-storage", volumes };
    if (isExhausted) return { reason: "budget", volumes: [] };
  }

  /** Returns what keeps Nodes from being removed; null without whole Pods on Nodes. */
  function scaleDown(rows, guide) {
    if (!rows.some(({ object }) => object?.type === "pod" && object.node)) return null;
    const budgets = new Map(), nodes = new Map();
    for (const { namespace, object } of rows) if (object?.type === "budget") budgets.set(namespace, [...budgets.get(namespace) ?? [], object]);
    const entry = (name) => nodes.get(name) ?? nodes.set(name, { node: name, disabled: false, blockers: [] }).get(name);
    for (const { name, object } of rows) if (object?.type === "node") entry(name).disabled = object.disabled;
    const seen = new Set(), tolerant = new Set(), priorities = new Map();
    for (const { namespace, name, owner, object } of rows) {
      const identity = `${namespace}\n${name}`;
      if (object?.type !== "pod" || object.finished || seen.has(identity)) continue;
      seen.add(identity);
      const component = owner ? guide.components[owner.component].id : null;
      if (owner && object.spec.toleratesAll) tolerant.add(component);
      if (owner && object.spec.priority) priorities.set(object.spec.priority, (priorities.get(object.spec.priority) ?? new Set()).add(component));
      if (!object.node) continue;
      const { blockers } = entry(object.node), why = blockReason(object, namespace, budgets.get(namespace) ?? []);
      if (why) blockers.push({ namespace, name, component, ...why });
    }
    return {
      nodes: sorted(nodes).map(([, node]) => node),
      has_budgets: budgets.size > 0,
      tolerate_all: [...tolerant].sort(),
      priorities: sorted(priorities).map(([name, components]) => ({ class: name, components: [...components].sort() })),
    };
  }

  /** Returns what is wrong with an object; undefined if it is healthy. */
  function trouble({ kind, health }) {
    if (!health || health.healthy) return;
    const { status, reason } = health;
    if (kind !== "Pod" || status === null) return WORKLOADS.test(kind) ? "replicas" : "other";
    const inner = status.replace(/^Init:/, "");
    if (reason?.startsWith("OOMKilled")) return "out-of-memory";
    if (inner === "Running" && health.ready === health.desired) return "crash-loop";
    return STATUSES.find(([, expression]) => expression.test(inner))?.[0] ?? (inner !== status && inner.includes("/") ? "starting" : "other");
  }

  /** Returns the command that shows most about an unhealthy object; null if there is none. */
  function command(row) {
    const { kind, namespace, name, cut } = row, wrong = trouble(row), inside = namespace ? ` -n ${namespace}` : "";
    if (!wrong || !kind || cut) return null;
    if (wrong === "crash-loop" && kind === "Pod") return `kubectl${inside} logs ${name} --all-containers --previous`;
    if (wrong === "replicas" && kind === "Deployment") return `kubectl${inside} rollout status deployment ${name}`;
    switch (kind) {
      case "Job": return `kubectl${inside} logs job/${name}`;
      case "HelmRelease": return `helm${inside} history ${name}`;
      case "Namespace": return `kubectl get namespace ${name} -o yaml`;
      case "ComponentStatus": return null;
      default: return `kubectl${inside} describe ${kind.toLowerCase()} ${name}`;
    }
  }

  /** Returns the symptom of the component that fits an unhealthy object or a message: its text, and what to do; null if there is none. */
  function symptom(row, guide) {
    if (row.kind === "Message" && row.owner) {
      const [,,,, told] = guide.components[row.owner.component].names.find(([kind, own]) => kind === "Message" && own.includes(row.name));
      return told ? { symptom: told[0], action: told[1] } : null;
    }
    const wrong = trouble(row), { symptoms = [] } = row.owner ? guide.components[row.owner.component] : {}, reason = row.health?.reason ?? "";
    // A symptom whose code is in the reason comes first, then the one that fits best.
    const fitting = symptoms.map(([ranks, codes, symptom, action]) => ({ rank: ranks[wrong], isQuoted: codes.some((code) => reason.includes(code)), symptom, action }))
      .filter(({ rank }) => rank !== undefined).sort((a, b) => b.isQuoted - a.isQuoted || a.rank - b.rank);
    return fitting[0] ? { symptom: fitting[0].symptom, action: fitting[0].action } : null;
  }

  ksys.findings = { versions, cost, scaleDown, trouble, command, symptom, imageOf, isImage };
}
