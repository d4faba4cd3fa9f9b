// The health of an object, from the columns that kubectl prints after its name. It follows src/listing/health.rs rule for rule; the reasons are documented there.
globalThis.ksys ??= {};
{
  // The statuses of a Pod that every start has.
  const STARTING = /^(Running|Pending|ContainerCreating|PodInitializing|Init:\d.*)$/;
  const CAPITAL = /^[A-Z]/;
  // With this many restarts, the last of them a few minutes ago, a Pod that is running at the moment is probably in a loop.
  const MANY_RESTARTS = 3;

  /** Returns a number with at most six digits; null for any other cell. */
  const number = (cell = "") => (/^\d{1,6}$/.test(cell) ? +cell : null);
  /** Whether an age is less than two minutes. */
  const isRecent = (age) => (age.includes("m") ? /^[01]m/.test(age) : age.endsWith("s") && (number(age.slice(0, -1)) ?? Infinity) < 120);

  const isRatio = (cell) => /^\d{1,6}\/\d{1,6}$/.test(cell);
  /** Returns the numbers before the first cell that is none. */
  function leading(cells) {
    const end = cells.findIndex((cell) => number(cell) === null);
    return cells.slice(0, end < 0 ? cells.length : end).map(Number);
  }

  /** Returns the health of an object of a kind, from the cells after its name. `helm`: the statuses of Helm releases. */
  function health(kind, cells, helm) {
    const [first = "", second, third] = cells, isWord = CAPITAL.test(first);
    const isNew = isRecent(cells.find((cell) => ksys.lines.isAge(cell)) ?? "");
    const told = (healthy, status, more) => ksys.objects.health(healthy, status, more);
    const [, ...parts] = /^(\d{1,6})\/(\d{1,6})$/.exec(first) ?? [], ratio = parts.length ? parts.map(Number) : undefined;
    switch (kind) {
      case "Pod": {
        if (!ratio || !second) return null;
        const [ready, desired] = ratio, restarts = number(third);
        const [, since] = (restarts !== null && /^\((.*)$/.exec(cells[3]) && cells[4] === "ago)" && /^\((.*)$/.exec(cells[3])) || [];
        const isLoop = restarts >= MANY_RESTARTS && /^(\d+s|\dm.*)$/.test(since);
        const healthy = /^(Completed|Succeeded)$/.test(second) || (second === "Running" && ready === desired ? !isLoop : isNew && STARTING.test(second));
        return told(healthy, second, { ready, desired, restarts, last_restart: since === undefined ? null : `${since} ago` });
      }
      case "Deployment": case "StatefulSet": case "DaemonSet": case "ReplicaSet": case "ReplicationController": {
        const isDeployment = kind === "Deployment", counts = leading(cells);
        const [ready, desired] = ratio ?? [isDeployment ? counts[3] : counts[2] ?? counts[1], counts[0]];
        if (ready === undefined) return null;
        const others = leading(cells.slice(cells.findIndex((cell) => !isRatio(cell))));
        const current = isDeployment ? (others.length === 2 ? others[0] : others[3] === undefined ? undefined : others[2])
          : kind === "DaemonSet" && others[4] !== undefined ? others[3] : undefined;
        const updated = current < desired ? current : null;
        return told((ready >= desired && updated === null) || isNew, null, { ready, desired, updated });
      }
      case "Job": return isWord ? told(!first.startsWith("Fail"), first) : null;
      case "Node": return isWord ? told(/^Ready(,|$)/.test(first), first) : null;
      case "ComponentStatus": return isWord ? told(first === "Healthy", first) : null;
      case "Namespace": return isWord ? told(first === "Active", first) : null;
      case "HelmRelease": {
        const status = cells.find((cell) => helm.includes(cell));
        return status ? told(/^(deployed|superseded)$/.test(status), status) : null;
      }
      case "PersistentVolumeClaim": return isWord ? told(first === "Bound" || (first === "Pending" && isNew), first) : null;
      case "APIService": return /^(True|False|Unknown)$/.test(second) ? told(second === "True", /^\((.*)\)$/.exec(third)?.[1] ?? second) : null;
      default: return null;
    }
  }

  ksys.columns = { health };
}
