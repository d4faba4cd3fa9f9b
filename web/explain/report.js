// Explains a pasted listing. It follows src/explain.rs with src/explain/provider_guess.rs, insights.rs and namespaces.rs. Components and providers are
// referenced by their index in the explain data (`guide`).
{
  // The supported version of the explain data.
  const VERSION = 5;
  // Presences from present to absent, with the points (in hundredths) of a component that is in the listing. Positive points are divided among the providers with
  // the same presence.
  const PRESENCES = ["default", "optional", "built-in", "hidden", "none", "unknown"], POINTS = [60, 20, -80, -80, -80, 0];
  // Points of a text that only clusters of this provider print, of a row, of a missing component, and of an object that only other providers have; the least points of a guess, and the least distance to the
  // next provider.
  const MARK = 200, ROW = 100, MISSING = -40, FOREIGN = -40, ENOUGH = 100, AHEAD = 30;
  // Rows of at most FEW providers are distinctive; DISTINCT different ones are not a coincidence.
  const FEW = 2, DISTINCT = 2, MOST_SHARES = 8;
  // With fewer rows of a namespace, the absence of a row means nothing.
  const TABLE = 7;
  // The maximum length of a name in characters.
  const LONGEST_WORD = 253;
  // The number of names shown as a reason.
  const SHOWN = 4;

  const { versions, cost, scaleDown, command, symptom } = ksys.findings;
  const sum = (numbers) => numbers.reduce((sum, number) => sum + number, 0);
  const once = (values) => [...new Set(values)];
  // Points divided among the providers that share a trait, at most MOST_SHARES.
  const share = (points, among) => points / Math.max(1, Math.min(among, MOST_SHARES)) | 0;

  let guide, recogniser, listing;
  const runs = (pattern) => pattern.kinds.includes("Pod");
  /** Returns the running components, from the best patterns of each row, which must belong to one component. */
  const running = (all) => new Set(all.filter((patterns) => patterns.some(runs) && recogniser.isOne(patterns)).map((patterns) => patterns[0].component));
  const idOf = (component) => guide.components[component].id;
  const ids = (components) => once(components).sort((a, b) => a - b).map(idOf);

  /** Returns a function that tells whether the component of a provider's claim would appear in the listing, by the kinds printed in each namespace. */
  function seen(rows, excerpt) {
    // `homes`: for each row of a component without a namespace, the namespaces that its patterns allow; an empty name stands for any.
    const counts = { __proto__: null }, homes = [], untold = " ";
    for (const { namespace = untold, kind = "", fitting, mentioned } of rows) {
      // Cluster-scoped objects belong to no namespace.
      if (guide.tables.cluster_scoped.includes(kind)) continue;
      for (const key of [namespace, `${namespace}/${kind.toLowerCase()}`]) counts[key] = (counts[key] ?? 0) + 1;
      const own = mentioned ? [] : once(recogniser.choose(fitting).map((pattern) => pattern.namespace ?? ""));
      if (namespace === untold && own.length) homes.push(own.includes("") ? [""] : own);
    }
    // Rows without a namespace count only where at least half of them belong to components: otherwise they may be user workloads.
    const areMost = (homes) => counts[untold] >= TABLE && homes.length * 2 >= counts[untold];
    const covers = (kind, of) => [of, ...areMost(homes) ? [untold] : []].some((namespace) => counts[namespace] >= TABLE && counts[`${namespace}/${kind.toLowerCase()}`]);
    const shows = ({ namespace: of }) => counts[of] || areMost(homes.filter((own) => !of || own.includes("") || own.includes(of)));
    // Every workload of the claimed form has its own row or those of its Pods. A DaemonSet may have no Pods, if no Node matches its selector.
    return ([, component, , form], provider) => {
      const isOfForm = ({ kind }) => !form || form.includes(kind === "StaticPod" ? "static Pod" : kind);
      const here = recogniser.of(component).filter((pattern) => pattern.isAt(provider) && runs(pattern) && isOfForm(pattern));
      // The control plane of other systems is in other namespaces: of static Pods, those that name the provider count.
      const isNamed = ({ kind, providers }) => kind === "StaticPod" && providers.length, areNamed = here.some(isNamed);
      const workloads = here.filter((pattern) => !areNamed || pattern.kind !== "StaticPod" || isNamed(pattern));
      return !excerpt && workloads.some(shows) && workloads.every(({ kind, namespace, kinds }) =>
        (kind !== "DaemonSet" && covers("Pod", namespace)) || (kinds.includes(kind) && covers(kind, namespace)));
    };
  }

  /** Returns the components that are usually present at a provider, would appear in the listing, and do not; none that came or went with some version. */
  function missing(provider, present, wouldShow) {
    // Claims are grouped by role; claims without a role are grouped by component, and come first.
    const job = ([role, component]) => role ?? (component === null ? "" : ` ${idOf(component)}`);
    const { claims } = guide.providers[provider], said = {};
    return once(claims.map(job)).sort().flatMap((key) => {
      const own = claims.filter((claim) => job(claim) === key);
      // The role may be filled by something without rows, or the provider may do without it.
      if (own.some(([, component, presence]) => component === null ? /^(default|built-in|hidden|none)$/.test(presence) : present.has(component))) return [];
      const components = ids(own.filter((claim) => claim[4] && claim[1] !== null && wouldShow(claim, provider)).map((claim) => claim[1]));
      // A component can have several roles.
      return components.length && (said[components] ??= key) === key ? [{ role: own[0][0], components }] : [];
    });
  }

  /** Returns the text of a mark in a text. A mark that begins with a space is the beginning of a word, or a whole name if it has `*`; see src/explain/marks.rs. */
  function foundMark(text, mark) {
    if (mark[0] !== " ") return text.includes(mark) ? mark : undefined;
    const [begins, ends] = mark.slice(1).split("*"), last = (ends ?? "").replace(/[#?]/g, (sign) => (sign === "#" ? "[\\da-f]" : "[a-z\\d]"));
    const whole = new RegExp(`^${begins}[a-z\\d.-]+${last}$`);
    for (let at = text.indexOf(begins); at >= 0; at = text.indexOf(begins, at + begins.length)) {
      if (at > 0 && !/[\s"']/.test(text[at - 1])) continue;
      if (ends === undefined) return begins;
      const [name] = /^[a-z\d.-]*/.exec(text.slice(at, at + LONGEST_WORD));
      if (whole.test(name)) return name;
    }
  }

  /** Whether the listing cannot be of a provider: it has a text that its clusters never print, or a static Pod on a Node with another name than theirs. */
  function isExcluded({ unlike = [], nodes }, provider, text, rows, all) {
    const areNodes = nodes?.map(recogniser.isName);
    const isElsewhere = (row, patterns) => {
      const own = patterns.find(({ kind, providers }) => kind === "StaticPod" && providers.includes(provider)), start = own && `${own.objectOf(row)}-`;
      return own && !row.cut && !row.masked && row.name.startsWith(start) && !areNodes.some((is) => is(row.name.slice(start.length)));
    };
    return unlike.some((mark) => foundMark(text, mark)) || (nodes && rows.some((row, at) => isElsewhere(row, all[at])));
  }

  /** Whether Pods of the control plane are in the listing that the provider hides. */
  const hidesWhatRuns = (claims, present) => claims.some(([, component, presence]) =>
    presence === "hidden" && present.has(component) && recogniser.of(component).some(({ kind }) => kind === "StaticPod"));

  /** Whether a name in text is that of an object. */
  function isCertain({ row, certainty }) {
    const best = () => recogniser.choose(recogniser.fitting(row));
    if (certainty === "pod") return true;
    if (certainty === "workload") return recogniser.ofWorkload(row.namespace, row.name) !== undefined;
    if (certainty === "component") return best().length > 0 || related(row) !== undefined;
    return best().length > 0 && best().every(({ namespace }) => namespace);
  }

  /** Returns the rows with the names in text that are certainly those of objects. */
  function withMentions(rows, named) {
    // A row may lack the namespace that the text states.
    const namespaces = new Map(named.toReversed().filter(({ row }) => row.namespace !== undefined).map(({ row }) => [row.name, row.namespace]));
    for (const row of rows) if ((row.kind ?? "Pod") === "Pod") row.namespace ??= namespaces.get(row.name);
    const seen = new Set(rows.map(({ name }) => name));
    // A log repeats the same words, and comparing them with all patterns takes long.
    const refused = new Set(), identity = ({ row, certainty }) => [certainty, row.namespace, row.kind, row.name].join(" ");
    const isRefused = (one) => refused.has(identity(one)) || (!isCertain(one) && refused.add(identity(one)));
    const found = named.filter((one) => !seen.has(one.row.name) && !isRefused(one) && seen.add(one.row.name));
    return [...rows, ...found.map(({ line, text, row }) => ({ line, text, health: null, ...row }))].sort((a, b) => a.line - b.line);
  }

  /** Returns the component of a row that no pattern fits. A process has the name of its component, or of a workload. */
  function related(row) {
    if (row.kind !== "Process") return recogniser.related(row);
    const named = guide.components.findIndex(({ id }) => id === row.name);
    return named >= 0 ? named : recogniser.knownNames.ofRow(row.kind, row.name) ?? recogniser.ofWorkload(undefined, row.name);
  }

  /** Returns the rows, with the row of a single word that is no object of a component, but one of its names outside of listings, replaced by that of the name. */
  function withSingleName(rows, word) {
    const isOwned = (row) => recogniser.choose(recogniser.fitting(row)).length > 0 || related(row) !== undefined;
    if (rows.length !== 1 || /\s/.test(word) || isOwned(rows[0])) return rows;
    const known = recogniser.knownNames.row(word), [{ line, text }] = rows;
    return known ? [{ line, text, health: null, ...known }] : rows;
  }

  /** Returns the rows without those of runtimes that belong to no component: processes, and outside of tables all of them if there is nothing else. */
  function onlyRelated(rows, hasTables) {
    const isOutside = ({ kind }) => /^(Container|Image|Process)$/.test(kind);
    const left = rows.filter((row) => row.kind !== "Process" || related(row) !== undefined);
    return !hasTables && left.every((row) => isOutside(row) && related(row) === undefined) ? [] : left;
  }

  /** Returns the guessed provider of the cluster, and the most likely provider even if the guess is not certain enough to be shown. */
  function guess(text, rows, wouldShow) {
    // A sentence about an object is no evidence that the cluster has it.
    const all = rows.map((row) => row.mentioned ? [] : recogniser.choose(row.fitting)), present = running(all);
    // The patterns that fit the rows, each with the first object that fits it.
    const objects = new Map();
    all.forEach((patterns, at) => patterns.forEach((pattern) => objects.has(pattern) || objects.set(pattern, pattern.objectOf(rows[at]))));
    // The providers of each distinct object that only some providers have.
    const restricted = new Map();
    all.forEach((patterns, at) => {
      if (!patterns.some(runs) || !patterns.every(({ providers }) => providers.length)) return;
      restricted.set(`${patterns[0].component} ${patterns[0].objectOf(rows[at])}`, patterns.flatMap(({ providers }) => providers));
    });
    // The strongest claim of each provider about each component.
    const says = guide.providers.map(({ claims }) => {
      const strongest = {};
      for (const [, component, presence] of claims) strongest[component] = Math.min(strongest[component] ?? 9, PRESENCES.indexOf(presence));
      return strongest;
    });
    const providers = guide.providers.map(({ marks, claims }, provider) => {
      marks = marks.map((mark) => foundMark(text, mark)).filter(Boolean);
      const names = [...objects].filter(([{ providers }]) => providers.includes(provider)).map(([{ providers }, object]) => [providers.length, object]);
      const shipped = [...present].map((component) => {
        const presence = says[provider][component], points = POINTS[presence] ?? 0;
        return points < 0 ? points : share(points, says.filter((of) => of[component] === presence).length);
      });
      const rowPoints = sum(names.map(([among]) => share(ROW, among))), lacking = missing(provider, present, wouldShow);
      const foreign = [...restricted.values()].filter((providers) => !providers.includes(provider)).length;
      const points = marks.length * MARK + rowPoints + sum(shipped) + lacking.length * MISSING + foreign * FOREIGN;
      // Distinctive: a mark, several rows, or one row where nothing is missing. A provider without distinctive default components qualifies without them.
      const isOwn = (pattern) => runs(pattern) && pattern.providers.length <= FEW && pattern.providers.includes(provider);
      const hasOwn = ([, component, presence]) => presence === "default" && component !== null && recogniser.of(component).some(isOwn);
      // A single name is never enough.
      const own = names.filter(([among]) => among <= FEW).length, usual = claims.filter(([, component, presence]) => presence === "default" && present.has(component));
      const isConfirmed = once(usual.map(([, component]) => component)).length >= DISTINCT && ((own && !lacking.length) || !claims.some(hasOwn));
      // A provider without distinctive components is recognized by a control plane that other systems have, too; theirs is often incomplete.
      const isStaticPod = ({ kind, providers }) => kind === "StaticPod" && providers.includes(provider);
      const isUnsure = !marks.length && !claims.some(hasOwn) && lacking.some(({ components }) =>
        components.some((id) => recogniser.of(guide.components.findIndex((of) => of.id === id)).some(isStaticPod)));
      const isHere = (marks.length || own >= DISTINCT || isConfirmed) && !hidesWhatRuns(claims, present) && !isExcluded(guide.providers[provider], provider, text, rows, all);
      // The names that the fewest other providers have.
      const fewest = Math.min(...names.map(([among]) => among));
      return { provider, marks, points, names: once(names.filter(([among]) => among === fewest).map(([, object]) => object).sort()).slice(0, SHOWN), isHere, isUnsure };
    // A provider with distinctive rows is not a candidate if none of them is in the listing.
    }).filter(({ points, isHere }) => points > 0 && isHere).sort((a, b) => b.points - a.points);
    const most = providers[0]?.points ?? 0, near = providers.filter(({ points }) => points + AHEAD > most), [first, other] = near;
    const name = ({ provider }) => guide.providers[provider].id;
    const told = () => other || first.isUnsure ? { others: near.map(name) } : { provider: name(first), names: first.names, marks: first.marks };
    return [most < ENOUGH ? {} : told(), other ? undefined : first?.provider];
  }

  /** Returns the component of a row, if its best patterns belong to one. */
  function owner(row, patterns, provider) {
    if (!patterns.length) {
      const known = related(row), copy = known === undefined ? recogniser.ofCopy(row) : undefined, component = known ?? copy?.component;
      if (component === undefined) return null;
      const what = copy ? "" : recogniser.knownNames.what({ component }, row);
      return { component, entries: [], object: row.name, section: "", what, copy };
    }
    if (!recogniser.isOne(patterns)) return null;
    const [first] = patterns, { component } = first, entries = patterns.map((pattern) => pattern.entry);
    const agreed = (field) => {
      const [text, other] = once(entries.map((entry) => guide.components[component].listing[entry][field]));
      return other === undefined ? text : "";
    };
    return { component, entries, object: first.objectOf(row), controller: first.controllerOf(row), section: agreed(5), what: isElsewhere({ component, entries }, provider) ? "" : agreed(6) };
  }

  /** Whether the facts about a row are those of objects elsewhere: it is a copy in another namespace, or its entries are only for a few providers, and the cluster is not known to be of one of them. */
  function isElsewhere({ component, entries, copy }, provider) {
    if (copy) return true;
    const { components, providers } = ksys.guide, here = providers.findIndex(({ id }) => id === provider);
    return entries.length > 0 && entries.every((entry) => {
      const { length } = components[component].listing[entry][4];
      return length && length <= FEW && !components[component].listing[entry][4].includes(here);
    });
  }

  /** Returns the DaemonSets that need no Pods. A label in the selector of a DaemonSet that does need Pods is on some Node, and so is not the reason. */
  function idle(rows) {
    const found = new Set(rows.flatMap(({ nodes }) => nodes.any ? nodes.labels : [""]));
    return rows.filter(({ nodes }) => !nodes.any).map(({ line, nodes }) => ({ line, selector: nodes.labels.filter((label) => !found.has(label)).join() }));
  }

  /**
   * Explains a listing. `provider` is the id of the provider of the cluster; null to guess it.
   * `today`: the date, which decides whether the support of a release has ended. Lines are counted from 1. `owner.component` is an index in the explain data, `owner.entries` are indexes in the listing of the component.
   */
  ksys.explain = (pasted, provider = null, today = null) => {
    if (guide !== ksys.guide) {
      if (ksys.guide.version !== VERSION) throw new Error("another version");
      ({ guide } = ksys);
      recogniser = ksys.recogniser(guide);
      listing = ksys.kubectl.reader(guide.tables, guide.parts);
    }
    const text = ksys.kubectl.clean(pasted), { rows: parsed, excerpt, hasTables, named, texts } = listing(text);
    const mentioned = [...withMentions(parsed, named), ...recogniser.knownNames.inText(texts, hasTables)].sort((a, b) => a.line - b.line);
    const rows = onlyRelated(withSingleName(mentioned, text.trim()), hasTables);
    for (const row of rows) row.fitting = recogniser.fitting(row);
    recogniser.decideByOtherRows(rows);
    const wouldShow = seen(rows, excerpt), asked = provider !== null;
    const numberOf = () => guide.providers.findIndex(({ id }) => id === provider);
    const [told, likely] = asked ? [{ provider }, numberOf()] : guess(text, rows, wouldShow);
    const all = rows.map((row) => recogniser.choose(row.fitting, likely)), present = running(all.filter((_, at) => !rows[at].mentioned));
    const owned = rows.map((row, at) => {
      const { line, text, namespace = null, kind = null, name, health, cut, object } = row;
      return { line, text, namespace, kind, name, health, cut, object, owner: owner(row, all[at], told?.provider) };
    });
    const known = told?.provider && guide.providers[likely];
    const hidden = known?.claims.filter(([, component, presence]) => presence === "hidden" && component !== null && !present.has(component)) ?? [];
    for (const row of owned) Object.assign(row, { command: command(row), symptom: symptom(row, guide) });
    return {
      versions: versions(owned, guide, today, known),
      cost: cost(owned, guide),
      scale_down: scaleDown(owned, guide),
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

  ksys.isElsewhere = isElsewhere;

  /** Returns the id of the component of an object that a message names. */
  ksys.componentOf = (row) => {
    const best = recogniser.choose(recogniser.fitting(row)), component = best.length ? recogniser.isOne(best) ? best[0].component : undefined : related(row);
    return component === undefined ? undefined : idOf(component);
  };

  /** Returns the verdict for the object of a row at a provider: with `recreation` and `impact` for a Pod, with `restoredBy` for an object without a controller. */
  ksys.answer = ({ component, section, entries, controller }, provider) => {
    // The facts state nothing about a row that is not a listed object, and what recreates or protects an object depends on the provider.
    if (!entries.length) return {};
    const elsewhere = isElsewhere({ component, entries }, provider);
    const { deletion, sections, listing } = ksys.guide.components[component];
    // The verdict of a workload does not apply to objects such as its ServiceAccount.
    const hasWorkload = listing.some(([kind]) => kind === "Pod" || ksys.guide.derived[kind]);
    const isOther = (kind) => kind === "CustomResourceDefinition" || (hasWorkload && ksys.guide.tables.own_effect.includes(kind));
    const own = entries.some((entry) => isOther(listing[entry][0])) ? null : deletion;
    const { restart: [stated, impact] = [], removal: [general, cases] = [] } = (section ? sections?.[section] : own) ?? {};
    const [stating, restoring] = cases?.[provider] ?? general ?? [];
    const removal = elsewhere && /^(comes-back|blocked)$/.test(stating) ? undefined : stating, restoredBy = elsewhere ? undefined : restoring;
    if (!controller) {
      const restart = listing[entries[0]][0] === "Pod" ? stated : null;
      return { verdict: restart ?? removal, restart, removal, restoredBy };
    }
    const [derived, recreation, pods] = ksys.guide.controllers[controller], restart = (pods && stated) || derived;
    return { verdict: restart, restart, removal, recreation, impact: pods && impact };
  };
}
