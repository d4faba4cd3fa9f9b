// What somebody pasted, explained: the same as src/explain.rs with src/explain/provider_guess.rs, insights.rs and namespaces.rs. Components and providers are their numbers in the guide.
{
  // The format of the guide.
  const VERSION = 2;
  // In the order of their strength, with the points of a component that is seen, of a hundredth each: shared among all that say so, if it is there at all.
  const PRESENCES = ["default", "optional", "built-in", "hidden", "none", "unknown"], POINTS = [60, 20, -80, -80, -80, 0];
  // Points of a text that only this provider writes, of a row, of what is usually there and is not. What is told has so many, and so many more than the next.
  const MARK = 200, ROW = 100, MISSING = -40, ENOUGH = 100, AHEAD = 30;
  // Rows that so many providers have at most tell them apart from others, and so many different ones of these are no chance.
  const FEW = 2, DISTINCT = 2;
  // Fewer rows of a namespace say nothing about what is not among them.
  const TABLE = 7;
  // How many names are given as a reason.
  const SHOWN = 4;

  const sum = (numbers) => numbers.reduce((sum, number) => sum + number, 0);
  const once = (values) => [...new Set(values)];

  let guide, recogniser, listing;
  const runs = (pattern) => pattern.kinds.includes("Pod");
  /** The components that run, by the patterns that fit each row best: these have to be of one component. */
  const running = (all) => new Set(all.filter((patterns) => patterns.some(runs) && recogniser.isOne(patterns)).map((patterns) => patterns[0].component));
  const idOf = (component) => guide.components[component].id;
  const ids = (components) => once(components).sort((a, b) => a - b).map(idOf);

  /** What tells whether a claim of a provider would have been seen in a listing: which kinds were printed in which namespaces. */
  function seen(rows, excerpt) {
    // And where each of those rows that tell no namespace may live, as far as it is a component's; an empty one if that is anywhere.
    const counts = { __proto__: null }, homes = [], untold = " ";
    for (const { namespace = untold, kind = "", fitting } of rows) {
      // What is in no namespace says nothing about one.
      if (guide.tables.cluster_scoped.includes(kind)) continue;
      for (const key of [namespace, `${namespace}/${kind.toLowerCase()}`]) counts[key] = (counts[key] ?? 0) + 1;
      const own = once(recogniser.choose(fitting).map((pattern) => pattern.namespace ?? ""));
      if (namespace === untold && own.length) homes.push(own.includes("") ? [""] : own);
    }
    // Rows that tell no namespace may be anybody's: only where most of them are the system's are they a listing of it.
    const areMost = (homes) => counts[untold] >= TABLE && homes.length * 2 >= counts[untold];
    const covers = (kind, of) => [of, ...areMost(homes) ? [untold] : []].some((namespace) => counts[namespace] >= TABLE && counts[`${namespace}/${kind.toLowerCase()}`]);
    const shows = ({ namespace: of }) => counts[of] || areMost(homes.filter((own) => !of || own.includes("") || own.includes(of)));
    // Every workload of that form, by its own row or by its Pods. Of a DaemonSet there may be no Pods, where no Node is like that.
    return ([, component, , form], provider) => {
      const isOfForm = ({ kind }) => !form || form.includes(kind === "StaticPod" ? "static Pod" : kind);
      const workloads = recogniser.of(component).filter((pattern) => pattern.isAt(provider) && runs(pattern) && isOfForm(pattern));
      return !excerpt && workloads.some(shows) && workloads.every(({ kind, namespace, kinds }) =>
        (kind !== "DaemonSet" && covers("Pod", namespace)) || (kinds.includes(kind) && covers(kind, namespace)));
    };
  }

  /** What is usually there at a provider, would have been seen, and is not; nothing that came or went with some version. */
  function missing(provider, present, wouldShow) {
    // By the job; a claim without one is of its component, and comes first.
    const job = ([role, component]) => role ?? (component === null ? "" : ` ${idOf(component)}`);
    const { claims } = guide.providers[provider], said = {};
    return once(claims.map(job)).sort().flatMap((key) => {
      const own = claims.filter((claim) => job(claim) === key);
      // It may be done by something that has no row.
      if (own.some(([, component, presence]) => component === null ? /^(default|built-in|hidden)$/.test(presence) : present.has(component))) return [];
      const components = ids(own.filter((claim) => claim[4] && claim[1] !== null && wouldShow(claim, provider)).map((claim) => claim[1]));
      // One component can have several jobs.
      return components.length && (said[components] ??= key) === key ? [{ role: own[0][0], components }] : [];
    });
  }

  /** In whose cluster a listing was printed, and the most likely one, even if that is not sure enough to be told. */
  function guess(text, rows, wouldShow) {
    const all = rows.map((row) => recogniser.choose(row.fitting)), present = running(all);
    // The patterns by which rows were recognised, each with the first object that fits it.
    const objects = new Map();
    all.forEach((patterns, at) => patterns.forEach((pattern) => objects.has(pattern) || objects.set(pattern, pattern.objectOf(rows[at]))));
    // What each provider says of each component: the strongest of its claims.
    const says = guide.providers.map(({ claims }) => {
      const strongest = {};
      for (const [, component, presence] of claims) strongest[component] = Math.min(strongest[component] ?? 9, PRESENCES.indexOf(presence));
      return strongest;
    });
    const providers = guide.providers.map(({ marks, claims }, provider) => {
      marks = marks.filter((mark) => text.includes(mark));
      const names = [...objects].filter(([{ providers }]) => providers.includes(provider)).map(([{ providers }, object]) => [providers.length, object]);
      const shipped = [...present].map((component) => {
        const presence = says[provider][component], points = POINTS[presence] ?? 0;
        return points < 0 ? points : points / says.filter((of) => of[component] === presence).length | 0;
      });
      const rowPoints = sum(names.map(([among]) => ROW / among | 0)), lacking = missing(provider, present, wouldShow).length;
      const points = marks.length * MARK + rowPoints + sum(shipped) + lacking * MISSING;
      // Something that others have not: a mark, or several rows, or one row where nothing is missing. Who has nothing of its own is known by what it lacks.
      const isOwn = (pattern) => runs(pattern) && pattern.providers.length <= FEW && pattern.providers.includes(provider);
      const hasOwn = ([, component, presence]) => presence === "default" && component !== null && recogniser.of(component).some(isOwn);
      const isDistinct = marks.length || names.filter(([among]) => among <= FEW).length >= (lacking ? DISTINCT : 1) || !claims.some(hasOwn);
      // The names that few other providers have.
      const fewest = Math.min(...names.map(([among]) => among));
      return { provider, marks, points, names: once(names.filter(([among]) => among === fewest).map(([, object]) => object).sort()).slice(0, SHOWN), isDistinct };
    // One that has names of its own, and none of them is here, is none of those that it may be.
    }).filter(({ points, isDistinct }) => points > 0 && isDistinct).sort((a, b) => b.points - a.points);
    const most = providers[0]?.points ?? 0, near = providers.filter(({ points }) => points + AHEAD > most), [first, other] = near;
    const name = ({ provider }) => guide.providers[provider].id;
    const told = () => other ? { others: near.map(name) } : { provider: name(first), names: first.names, marks: first.marks };
    return [most < ENOUGH ? {} : told(), other ? undefined : first?.provider];
  }

  /** The component that a row belongs to, if its best patterns are of one. */
  function owner(row, patterns) {
    if (!patterns.length || !recogniser.isOne(patterns)) return null;
    const [first] = patterns, { component } = first, entries = patterns.map((pattern) => pattern.entry);
    const agreed = (field) => {
      const [text, other] = once(entries.map((entry) => guide.components[component].listing[entry][field]));
      return other === undefined ? text : "";
    };
    return { component, entries, object: first.objectOf(row), controller: first.controllerOf(row), section: agreed(5), what: agreed(6) };
  }

  /** DaemonSets that want no Pods. A label that is enough for another DaemonSet is on some Node, and so is no reason. */
  function idle(rows) {
    const found = new Set(rows.flatMap(({ nodes }) => nodes.any ? nodes.labels : [""]));
    return rows.filter(({ nodes }) => !nodes.any).map(({ line, nodes }) => ({ line, selector: nodes.labels.filter((label) => !found.has(label)).join() }));
  }

  /**
   * Explains a listing. `provider` is the id of the one in whose cluster it was printed, if somebody says so; else it is guessed.
   * Lines are counted from 1; `owner.component` is a number in the guide, `owner.entries` are numbers in its listing.
   */
  ksys.explain = (pasted, provider = null) => {
    if (guide !== ksys.guide) {
      if (ksys.guide.version !== VERSION) throw new Error("another version");
      ({ guide } = ksys);
      recogniser = ksys.recogniser(guide);
      listing = ksys.kubectl.reader(guide.tables);
    }
    const text = ksys.kubectl.clean(pasted), { rows, excerpt } = listing(text);
    for (const row of rows) row.fitting = recogniser.fitting(row);
    const wouldShow = seen(rows, excerpt), asked = provider !== null;
    const numberOf = () => guide.providers.findIndex(({ id }) => id === provider);
    const [told, likely] = asked ? [{ provider }, numberOf()] : guess(text, rows, wouldShow);
    const all = rows.map((row) => recogniser.choose(row.fitting, likely)), present = running(all);
    const owned = rows.map((row, at) => {
      const { line, text, namespace = null, kind = null, name } = row;
      return { line, text, namespace, kind, name, owner: owner(row, all[at]) };
    });
    const known = told?.provider && guide.providers[likely];
    const hidden = known?.claims.filter(([, component, presence]) => presence === "hidden" && component !== null && !present.has(component)) ?? [];
    return {
      guess: { provider: null, asked, names: [], marks: [], others: [], ...told },
      rows: owned,
      unknown: once(owned.filter((row) => !row.owner).map((row) => row.name)),
      hidden: ids(hidden.map((claim) => claim[1])),
      missing: known ? missing(likely, present, wouldShow) : [],
      idle: idle(rows.filter((row) => row.nodes)),
      outdated: guide.components.flatMap(({ id, outdated, replaced_by = [] }, number) =>
        outdated && present.has(number) ? [{ component: id, state: outdated, replaced_by: replaced_by.map((of) => guide.components[of]?.id ?? of) }] : []),
    };
  };

  /** The answers for the object of a row, at a provider: for a Pod, `recreation` and `impact`; `restoredBy` is for what its author created. */
  ksys.answer = ({ component, section, entries, controller }, provider) => {
    const { deletion, sections, listing } = ksys.guide.components[component];
    // What holds for a component says nothing of the definitions of its resources.
    const own = entries.some((entry) => listing[entry][0] === "CustomResourceDefinition") ? null : deletion;
    const { restart: [stated, impact] = [], removal: [general, cases] = [] } = (section ? sections?.[section] : own) ?? {};
    const [removal, restoredBy] = cases?.[provider] ?? general ?? [];
    if (!controller) return { verdict: removal, removal, restoredBy };
    const [derived, recreation, pods] = ksys.guide.controllers[controller], restart = (pods && stated) || derived;
    return { verdict: restart, restart, removal, recreation, impact: pods && impact };
  };
}
