// Reads whole objects of the Kubernetes API: the fields that explanations use, and the health that follows from them. It follows src/objects/ rule for rule; the
// reasons are documented there.
globalThis.ksys ??= {};
{
  // The largest number of Pods, containers or restarts that counts, and the largest amount.
  const MAX_COUNT = 999_999, MAX_AMOUNT = 2 ** 53;
  // With this many restarts, a container that ran out of memory counts as unhealthy while it runs.
  const MANY_RESTARTS = 3;
  const FACTORS = {
    __proto__: null, "": 1, n: 1e-9, u: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15,
    Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50,
  };
  const PRESSURES = ["MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable"];
  const AUTOSCALER = "cluster-autoscaler.kubernetes.io/";

  /** Returns a field of a value that may be missing or of another type; the last of several keys. */
  const get = (value, ...keys) => keys.reduce((value, key) => (isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined), value);
  const isMap = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const exists = (value) => value !== undefined && value !== null;
  const text = (value) => (typeof value === "string" ? value : undefined);
  const list = (value) => (Array.isArray(value) ? value : []);
  const texts = (value) => Object.fromEntries(Object.entries(isMap(value) ? value : {}).filter(([, text]) => typeof text === "string").sort(([a], [b]) => (a < b ? -1 : 1)));
  const count = (value) => (Number.isInteger(value) && value >= 0 && value <= MAX_COUNT ? value : undefined);
  const number = (value) => (typeof value === "number" ? value : undefined);

  /** Reads a quantity such as `100m` in a unit; undefined if it is none. */
  function amount(value, unit) {
    if (typeof value === "number") value = `${value}`;
    const [, digits, suffix] = /^([\d.]*)([^]*)$/.exec(text(value) ?? "-") ?? [];
    const [, exponent] = /^[eE]([+-]?\d+)$/.exec(suffix) ?? [];
    const isNumber = digits?.length <= 20 && /\d/.test(digits) && !/\..*\./.test(digits);
    const factor = exponent === undefined ? FACTORS[suffix] : exponent >= -9 && exponent <= 15 ? Number(`1e${+exponent}`) : undefined;
    if (!isNumber || factor === undefined) return;
    const found = Math.max(Math.ceil(Number(digits) * (suffix === "m" && unit > 1 ? 1 : unit * factor) - 1e-6), 0);
    if (found <= MAX_AMOUNT) return found;
  }
  const cpu = (value) => amount(value, 1000), memory = (value) => amount(value, 1);

  const plus = (a, b) => ({ cpu: a.cpu + b.cpu, memory: a.memory + b.memory });
  const most = (a, b) => ({ cpu: Math.max(a.cpu, b.cpu), memory: Math.max(a.memory, b.memory) });

  /** Returns what a Pod requests or is limited to, as the scheduler counts it. */
  function total(spec, containers, init, what) {
    const one = (container, key, read) => read(get(container, "resources", what, key)) ?? read(get(container, "resources", "limits", key)) ?? 0;
    const of = (container) => ({ cpu: one(container, "cpu", cpu), memory: one(container, "memory", memory) });
    let sidecars = { cpu: 0, memory: 0 }, peak = sidecars;
    for (const container of init) {
      const isSidecar = get(container, "restartPolicy") === "Always", sum = plus(sidecars, of(container));
      if (isSidecar) sidecars = sum;
      peak = most(peak, sum);
    }
    const running = containers.reduce((sum, container) => plus(sum, of(container)), sidecars);
    return plus(most(running, peak), { cpu: cpu(get(spec, "overhead", "cpu")) ?? 0, memory: memory(get(spec, "overhead", "memory")) ?? 0 });
  }

  /** Returns what the containers of a Pod need, and where it may run. */
  function podSpec(spec) {
    const containers = list(get(spec, "containers")), init = list(get(spec, "initContainers"));
    const lacks = (container, what, keys) => keys.every((key) => [what, "limits"].every((of) => !exists(get(container, "resources", of, key))));
    const isLocal = (volume) => exists(get(volume, "hostPath")) || (exists(get(volume, "emptyDir")) && get(volume, "emptyDir", "medium") !== "Memory");
    const isEmpty = (value) => !text(value);
    return {
      images: [...containers, ...init].map((container) => text(get(container, "image"))).filter((image) => image !== undefined),
      requests: total(spec, containers, init, "requests"),
      limits: total(spec, containers, init, "limits"),
      withoutRequests: containers.filter((container) => lacks(container, "requests", ["cpu", "memory"])).length,
      withoutLimits: containers.filter((container) => lacks(container, "limits", ["memory"])).length,
      volumes: list(get(spec, "volumes")).filter(isLocal).map((volume) => text(get(volume, "name"))).filter((name) => name !== undefined),
      toleratesAll: list(get(spec, "tolerations")).some((it) => get(it, "operator") === "Exists" && isEmpty(get(it, "key")) && isEmpty(get(it, "effect"))),
      priority: text(get(spec, "priorityClassName")) || null,
    };
  }

  const health = (healthy, status = null, more = {}) =>
    ({ healthy, status, ready: null, desired: null, updated: null, restarts: null, last_restart: null, reason: null, ...more });
  const condition = (status, type) => list(get(status, "conditions")).find((condition) => get(condition, "type") === type);

  /** Returns why a container ended: `OOMKilled`, `Signal:9`, `ExitCode:1`. */
  function endReason(ended) {
    const signal = count(get(ended, "signal"));
    return text(get(ended, "reason")) || (signal ? `Signal:${signal}` : `ExitCode:${count(get(ended, "exitCode")) ?? 0}`);
  }

  /** Returns the health of a Pod, with the status that kubectl prints. */
  function podHealth(pod) {
    const spec = get(pod, "spec"), status = get(pod, "status"), init = list(get(spec, "initContainers"));
    const sidecars = init.filter((it) => get(it, "restartPolicy") === "Always");
    const isSidecar = (name) => sidecars.some((it) => text(get(it, "name")) === text(name));
    const desired = list(get(spec, "containers")).length + sidecars.length, phase = text(get(status, "phase")) ?? "Unknown";
    let ready = 0, restarts = 0, last, shown = text(get(status, "reason")) || phase, step, isRunning = false;
    const countRestarts = (container) => {
      restarts += count(get(container, "restartCount")) ?? 0;
      const ended = get(container, "lastState", "terminated"), time = text(get(ended, "finishedAt")) ?? "";
      if (exists(ended) && (!last || last.time < time)) {
        last = { time, reason: text(get(ended, "reason")) ?? "", code: number(get(ended, "exitCode")), message: (text(get(ended, "message")) ?? "").trim() };
      }
    };
    const scheduled = condition(status, "PodScheduled");
    if (get(scheduled, "reason") === "SchedulingGated") shown = "SchedulingGated";
    for (const [at, container] of list(get(status, "initContainerStatuses")).entries()) {
      countRestarts(container);
      const ended = get(container, "state", "terminated"), waiting = text(get(container, "state", "waiting", "reason"));
      if (exists(ended) && get(ended, "exitCode") === 0) continue;
      if (isSidecar(get(container, "name")) && get(container, "started") === true) {
        ready += get(container, "ready") === true ? 1 : 0;
        continue;
      }
      step = exists(ended) ? `Init:${endReason(ended)}` : waiting && waiting !== "PodInitializing" ? `Init:${waiting}` : `Init:${at}/${init.length}`;
      break;
    }
    if (step !== undefined && get(condition(status, "Initialized"), "status") !== "True") shown = step;
    else {
      for (const container of list(get(status, "containerStatuses")).toReversed()) {
        countRestarts(container);
        const ended = get(container, "state", "terminated"), waiting = text(get(container, "state", "waiting", "reason"));
        if (waiting) shown = waiting;
        else if (exists(ended)) shown = endReason(ended);
        else if (get(container, "ready") === true && exists(get(container, "state", "running"))) {
          isRunning = true;
          ready++;
        }
      }
      if (shown === "Completed" && isRunning) shown = get(condition(status, "Ready"), "status") === "True" ? "Running" : "NotReady";
    }
    if (exists(get(pod, "metadata", "deletionTimestamp"))) {
      if (get(status, "reason") === "NodeLost") shown = "Unknown";
      else if (!/^(Succeeded|Failed)$/.test(phase)) shown = "Terminating";
    }
    const noMemory = last?.reason === "OOMKilled" && restarts >= MANY_RESTARTS;
    const healthy = phase === "Succeeded" || shown === "Completed" || (shown === "Running" && ready === desired && !noMemory);
    return health(healthy, shown, { ready, desired, restarts, last_restart: last?.time || null, reason: healthy ? null : podReason(status, scheduled, last) ?? null });
  }

  /** Returns why a Pod is unhealthy, as Kubernetes states it. */
  function podReason(status, scheduled, last) {
    if (get(scheduled, "status") === "False") return text(get(scheduled, "message"));
    if (last?.reason) {
      const code = last.code === undefined || last.reason === "Completed" ? "" : ` (exit code ${last.code})`;
      return `${last.reason}${code}${last.message && `: ${last.message}`}`;
    }
    const containers = [...list(get(status, "initContainerStatuses")), ...list(get(status, "containerStatuses"))];
    return containers.map((container) => text(get(container, "state", "waiting", "message"))).find((message) => message) ?? text(get(status, "message"));
  }

  /** Returns the health of an object that creates Pods. */
  function workloadHealth(kind, object, desired) {
    const spec = get(object, "spec"), status = get(object, "status"), of = (key) => count(get(status, key)) ?? 0;
    if (kind === "CronJob") return null;
    if (kind === "Job") {
      const holds = (type) => list(get(status, "conditions")).find((it) => get(it, "type") === type && get(it, "status") === "True");
      const failed = holds("Failed");
      if (failed) return health(false, "Failed", { reason: text(get(failed, "message")) ?? text(get(failed, "reason")) ?? null });
      const shown = ["Complete", "Suspended"].find(holds);
      return shown ? health(true, shown) : null;
    }
    const isDaemonSet = kind === "DaemonSet", ready = of(isDaemonSet ? "numberReady" : "readyReplicas");
    const hasRollout = /^(Deployment|StatefulSet|DaemonSet)$/.test(kind) && get(spec, "updateStrategy", "type") !== "OnDelete";
    const current = of(isDaemonSet ? "updatedNumberScheduled" : "updatedReplicas"), updated = hasRollout && current < desired ? current : null;
    const failed = list(get(status, "conditions")).find((it) => (get(it, "type") === "ReplicaFailure" && get(it, "status") === "True")
      || (get(it, "status") === "False" && get(it, "reason") === "ProgressDeadlineExceeded"));
    const told = (key) => text(get(failed, key)) ?? null;
    return health(ready >= desired && updated === null && !failed, told("reason"), { ready, desired, updated, reason: told("message") });
  }

  /** Returns the health of a Node. */
  function nodeHealth(object) {
    const of = (type) => condition(get(object, "status"), type), ready = of("Ready"), isReady = get(ready, "status") === "True";
    const pressure = PRESSURES.find((type) => get(of(type), "status") === "True");
    const shown = (isReady ? "Ready" : ready === undefined ? "Unknown" : "NotReady") + (get(object, "spec", "unschedulable") === true ? ",SchedulingDisabled" : "");
    return health(isReady && !pressure, shown, { reason: (isReady ? undefined : text(get(ready, "message"))) ?? pressure ?? null });
  }

  /** Returns the health of an object of which nothing else is read. */
  function otherHealth(kind, object) {
    const status = get(object, "status");
    if (kind === "APIService") {
      const available = condition(status, "Available"), state = text(get(available, "status"));
      if (state === undefined) return null;
      if (state === "True") return health(true, state);
      return health(false, text(get(available, "reason")) ?? state, { reason: text(get(available, "message")) ?? null });
    }
    const phase = text(get(status, "phase"));
    return phase === undefined ? null : health(/^(Bound|Active)$/.test(phase), phase);
  }

  const controller = (object) => text(get(list(get(object, "metadata", "ownerReferences")).find((owner) => get(owner, "controller") === true), "kind")) ?? null;

  function podObject(object) {
    const annotation = (name) => text(get(object, "metadata", "annotations", name));
    return {
      type: "pod",
      spec: podSpec(get(object, "spec")),
      node: text(get(object, "spec", "nodeName")) || null,
      labels: texts(get(object, "metadata", "labels")),
      controller: controller(object),
      finished: /^(Succeeded|Failed)$/.test(text(get(object, "status", "phase")) ?? ""),
      mirror: annotation("kubernetes.io/config.mirror") !== undefined,
      safeToEvict: { __proto__: null, true: true, false: false }[annotation(`${AUTOSCALER}safe-to-evict`)] ?? null,
      evictableVolumes: (annotation(`${AUTOSCALER}safe-to-evict-local-volumes`) ?? "").split(",").filter(Boolean),
      doNotDisrupt: annotation("karpenter.sh/do-not-disrupt") === "true",
    };
  }

  function workloadObject(kind, object) {
    const spec = get(object, "spec"), status = get(object, "status");
    const template = get(kind === "CronJob" ? get(spec, "jobTemplate", "spec") : spec, "template", "spec");
    const desired = { __proto__: null, DaemonSet: count(get(status, "desiredNumberScheduled")) ?? 0, Job: count(get(status, "active")) ?? 0, CronJob: 0 }[kind]
      ?? count(get(spec, "replicas")) ?? 1;
    return {
      type: "workload",
      spec: podSpec(template),
      desired,
      labels: Object.entries(texts(get(template, "nodeSelector"))).map((pair) => pair.join("=")),
      controller: controller(object),
    };
  }

  /** Returns the health of an object, and what its kind states; undefined for a kind that nothing is read of. */
  function details(kind, object) {
    const found = ofKind(kind, object), status = get(object, "status");
    // A manifest that was not read from a cluster has no status.
    if (found && !(isMap(status) && Object.keys(status).length)) found.health = null;
    return found;
  }

  function ofKind(kind, object) {
    switch (kind) {
      case "Pod": return { health: podHealth(object), object: podObject(object) };
      case "Deployment": case "StatefulSet": case "DaemonSet": case "ReplicaSet": case "ReplicationController": case "Job": case "CronJob": {
        const workload = workloadObject(kind, object);
        const nodes = kind === "DaemonSet" && { labels: workload.labels, any: workload.desired > 0 };
        return { health: workloadHealth(kind, object, workload.desired), object: workload, nodes };
      }
      case "Node": {
        const of = (key, read) => read(get(object, "status", "allocatable", key)) ?? null;
        const disabled = get(object, "metadata", "annotations", `${AUTOSCALER}scale-down-disabled`) === "true";
        return { health: nodeHealth(object), object: { type: "node", cpu: of("cpu", cpu), memory: of("memory", memory), disabled } };
      }
      case "PodDisruptionBudget": {
        const selector = get(object, "spec", "selector");
        const allowed = count(get(object, "status", "disruptionsAllowed")) ?? null;
        return { health: null, object: { type: "budget", labels: texts(get(selector, "matchLabels")), hasExpressions: list(get(selector, "matchExpressions")).length > 0, allowed } };
      }
      case "PersistentVolumeClaim": case "Namespace": case "APIService": return { health: otherHealth(kind, object), object: { type: "other" } };
    }
  }

  ksys.objects = { details, health };
}
