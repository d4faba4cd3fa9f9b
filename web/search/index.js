// Searches the index that src/search.rs writes: a root, and a few small files for each query.
// Files are scripts that call `ksys.got`, because a page at a `file:` URL cannot load anything else.
{
  const { words, names } = ksys;
  const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const VALUES = Object.fromEntries([...DIGITS].map((digit, value) => [digit, value]));
  // As in src/search/postings.rs: from this level on, a term that is the whole query is a name of the page.
  const NAMED = 52;
  const TOP = 63;
  // The maximum number of shards that are searched for a prefix.
  const SHARDS = 3;
  // The maximum length of a query in characters. A longer one was pasted: its beginning is enough, and each word costs a file.
  const LONGEST = 200;

  // Weights, tuned on tests/fixtures/search/queries.tsv.
  // The level from which a term is a proper name, the minimum rarity of such a term, and the bonus for its page.
  const PROPER = 60, RARE = 2.2, PROPER_BONUS = 0.45;
  // The rarity of a word that the index does not have, and of one that is on nearly every page.
  const LOST = 9, COMMON = 2;
  // The factor for matches in another passage of the page, except names.
  const ELSEWHERE = 0.6;
  // The share of the score that depends on how much of the query was found.
  const COVERAGE = 0.75;
  // The bonus for each doubling of the number of pages that link to a page.
  const POPULAR = 0.02;
  // The bonus for pages about components of the reader's provider.
  const OWN = 0.8;
  // The bonus if the whole query is the name.
  const WHOLE = 34;
  // The bonuses for a section with all words of the query, for one with optional terms, and for one with the query as a phrase.
  const SECTION = 1.5, MORE = 0.1, PHRASE = 0.7;
  // For the choice of the passage that is shown: the maximum weight of each word, and the bonus for a name.
  const TEXT = 0.7, NAME_HERE = 0.3;
  // The number of hits whose text is read for the order; of passages that are read at a time for a quoted phrase; and of these passages in total.
  const DEPTH = 7, BATCH = 14, QUOTED = 84;

  const files = {};
  ksys.load = (url) => files[url] ??= new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src: url, got: resolve });
    script.onload = () => script.remove();
    script.onerror = () => reject(delete files[url]);
    document.head.append(script);
  });
  ksys.got = (what, value) => document.currentScript.got(value);

  /** Yields the passages and levels of a line of the index. */
  function* postings(letters) {
    let passage = 0, shift = 0;
    for (let at = 0; at < letters.length; at++) {
      const value = VALUES[letters[at]];
      passage += (value & 31) << shift;
      shift += 5;
      if (value < 32) {
        shift = 0;
        yield [passage, VALUES[letters[++at]]];
      }
    }
  }

  /** Returns an expression for the words with one substituted, missing, additional or transposed letter. */
  function resembling(word) {
    const forms = [...`${word} `].map((letter, at) => {
      const [before, after] = [word.slice(0, at), word.slice(at + 1)];
      return `${before}(?:.?${after}|.${letter.trim()}${after}|${after[0] ?? ""}${letter}${after.slice(1)})`;
    });
    return new RegExp(`^(?:${forms.join("|")})$`);
  }

  const reversed = (text) => [...text].reverse().join("");
  const plain = (text) => words.lower(words.normal(text)).replace(/\s+/g, " ").trim();
  const sum = (numbers) => numbers.reduce((sum, number) => sum + number, 0);
  const found = (lists) => lists.filter((list) => list.length);

  /** Returns the index of a language, from its root. */
  function index(folder, root) {
    const { firsts, grammar } = root;
    const file = (path) => ksys.load(`${folder}${path}.js?${root.version}`);
    // The document of each passage.
    const documents = root.passages.flatMap((count, document) => Array(count).fill(document));
    const size = root.passages.length;
    const passage = ({ main, document }) => file(`p/${document}-${main ? main - documents.indexOf(document) : 0}`);

    /** Returns the number of the shard that contains a key. */
    const shard = (kind, key) => Math.max(0, firsts[kind].findLastIndex((first) => first <= key));
    /** Returns the lines of a shard, split at tabs. A site without components has no printed names. */
    const lines = async (kind, number) => firsts[kind].length ? (await file(`${kind}/${number}`)).split("\n").map((line) => line.split("\t")) : [];
    /** Returns the lines of the shard that would contain a key. */
    const near = (kind, key) => lines(kind, shard(kind, key));
    /** Returns the lines whose key begins with a text, from at most SHARDS shards. */
    async function beginning(kind, text) {
      const shards = [];
      const from = shard(kind, text);
      for (let number = from; number <= Math.min(shard(kind, `${text}\uffff`), from + SHARDS - 1); number++) shards.push(lines(kind, number));
      return (await Promise.all(shards)).flat().filter(([key]) => key.startsWith(text));
    }

    // Interpretations of a query are lists of `[term, postings, quality]`.

    /** Returns a term, and with `open` also the terms that begin with it. */
    async function exact(raw, open) {
      if (!raw) return [];
      const stem = words.stem(raw);
      const terms = (await near("t", stem)).filter(([term]) => term === stem).map((line) => [...line, 1]);
      const longer = open ? await beginning("t", raw) : [];
      return [...terms, ...longer.filter(([term]) => term !== stem).map(([term, letters]) => [term, letters, 0.4 + 0.4 * raw.length / term.length])];
    }

    async function word(text, open) {
      // Ports as kubectl prints them: `53/UDP`.
      const raw = words.joined(/^\d+\/[a-z]+$/i.test(text) ? text.split("/")[0] : text);
      if (raw.length < 2) return [];
      const terms = await exact(raw, open);
      if (terms.length) return [terms];
      const parts = text.split(/[-._/]/).flatMap(words.capitals);
      return parts.length > 1 ? (await Promise.all(parts.map((part) => word(part)))).flat() : similar(words.stem(raw));
    }

    /**
     * Returns corrections of a mistyped word. The word lists are sorted by length, then by the first letters or by the last ones: one mistake
     * affects one half of a word, so the other half is right; only two transposed letters may be in the middle.
     */
    async function similar(stem) {
      const half = (stem.length - 1) >> 1;
      const like = resembling(stem);
      const lists = stem.length < 4 ? [] : await Promise.all([-1, 0, 1].flatMap((more) => [["f", stem], ["b", reversed(stem)]].map(async ([kind, word]) => {
        const near = await beginning(kind, DIGITS[Math.min(stem.length + more, 63)] + word.slice(0, half));
        return near.map(([line]) => kind === "f" ? line.slice(1) : reversed(line.slice(1)));
      })));
      const known = [...new Set(lists.flat())].filter((word) => like.test(word)).slice(0, 6);
      let meant = (await Promise.all(known.map((word) => exact(word)))).flat();
      // A suffix that the stemmer does not remove.
      if (!meant.length) meant = (await near("t", stem)).filter(([term]) => stem.startsWith(term) && term.length >= 4 && stem.length - term.length <= 3);
      return found([Object.assign(meant.map(([term, letters]) => [term, letters, 0.7]), { meant: meant.map(([term]) => term) })]);
    }

    /** Splits a run of ideographs or katakana into the longest terms of the index, if it isn't a term itself. */
    async function run(letters, most) {
      if (!letters.length) return [];
      const rest = letters.slice(0, most).join("");
      const all = letters.length > most ? [] : await beginning("t", rest);
      if (all.length) return [all.map(([term, letters]) => [term, letters, term === rest ? 1 : 0.8])];
      const shorter = (await near("t", rest)).filter(([term]) => rest.startsWith(term) && term.length > 1);
      const longest = shorter.sort(([a], [b]) => b.length - a.length)[0];
      return [...longest ? [[[...longest, 1]]] : [], ...await run(letters.slice(longest ? [...longest[0]].length : 1), most)];
    }

    async function resolve({ kind, text, open, next }) {
      if (kind === "word") return word(text, open);
      // Hiragana are searched without a leading particle.
      if (kind === "hiragana") return found([await exact(words.terms(text).at(-1)?.[0], open)]);
      const letters = [...kind === "katakana" ? words.shortened(text) : text];
      if (kind === "katakana" || letters.length > 1) return run(letters, kind === "katakana" ? 8 : 6);
      const [stem, form] = await Promise.all([exact(text), exact(text + next)]);
      return found([next ? [...stem.map(([term, letters]) => [term, letters, 0.6]), ...form] : stem]);
    }

    /** Returns the clues of a query: lists of terms. A bonus raises the score of pages that have it, and does not lower that of others. */
    async function clues(query) {
      const pieces = [...words.pieces(words.normal(query))];
      // The last word may be incomplete.
      for (const piece of pieces.slice(-1)) piece.open = true;
      const useful = pieces.filter(({ text }) => !root.ignored.includes(words.lower(text)));
      // In a long question, common verbs are not distinctive.
      const telling = useful.length > 3 ? useful.filter(({ text }) => text.length > 1 || !root.common.includes(text)) : [];
      for (const piece of useful) piece.weak = piece.kind === "hiragana" || root.weak.includes(words.lower(piece.text));
      const asked = [telling, useful, pieces].find((pieces, at) => pieces.length > 1 - at);
      const lists = await Promise.all(asked.map(resolve));
      const extra = [];
      // Compounds written as separate words: `kube proxy` is `kubeproxy`.
      const raws = asked.map(({ text, kind }, at) => kind === "word" && !/[-._/]/.test(text) ? lists[at][0]?.meant ?? [words.joined(text)] : []);
      for (let from = 0; asked.length <= 6 && from < asked.length; from++) {
        for (const to of [from + 2, from + 3]) {
          const joined = raws.slice(from, to).reduce((all, next) => all.flatMap((start) => next.map((end) => start + end)), [""]);
          if (to <= asked.length) for (const raw of joined.slice(0, 6)) extra.push(exact(raw, asked[to - 1].open));
        }
      }
      // The segments of a path.
      for (const { text } of asked) if (text.includes("/")) for (const step of text.split("/")) if (step.length > 2) extra.push(exact(words.joined(step)));
      const key = words.key(query);
      if (!lists.flat(2).some(([term]) => term === key)) extra.push(exact(key));
      return {
        key,
        clues: [
          ...lists.flatMap((list, at) => list.map((terms) => ({ terms, bonus: asked[at].weak }))),
          ...found(await Promise.all(extra)).map((terms) => ({ terms, bonus: true })),
        ],
        lost: lists.filter((list, at) => !list.length && !asked[at].weak).length,
        meant: lists.flat().some(({ meant }) => meant),
      };
    }

    /** Scores every page. */
    function score({ clues, lost, key }, own) {
      const pages = new Map();
      let all = lost * LOST;
      clues.forEach((clue, number) => {
        const best = new Map();
        for (const [term, letters, quality] of clue.terms) {
          for (const [passage, level] of postings(letters)) {
            const weight = quality * level / TOP;
            if (!(best.get(passage)?.weight >= weight)) best.set(passage, { weight, level, named: level >= NAMED && quality === 1, whole: level >= NAMED && term === key });
          }
        }
        const count = new Set([...best.keys()].map((passage) => documents[passage])).size;
        const common = clue.terms.every(([term]) => root.common.includes(term));
        const proper = [...best.values()].some(({ named, level }) => named && level >= PROPER);
        clue.rare = Math.max(proper && RARE, common ? COMMON : Math.log(1 + size / (count || 1)));
        all += clue.rare * !clue.bonus;
        for (const [passage, { weight, level, named, whole }] of best) {
          const document = documents[passage];
          if (!pages.has(document)) pages.set(document, { document, matched: [], passages: new Map(), whole: 0 });
          const page = pages.get(document);
          const value = (clue.rare + PROPER_BONUS * named) * weight;
          if (!(page.matched[number]?.value >= value)) page.matched[number] = { value, level, passage, clue };
          const own = page.passages.get(passage) ?? { value: 0, clues: 0 };
          // Names are in the first passage only, and do not show which passage has the answer.
          page.passages.set(passage, { value: own.value + clue.rare * Math.min(weight, TEXT) + NAME_HERE * named, clues: own.clues + !clue.bonus });
          if (whole) page.whole = Math.max(page.whole, weight);
        }
      });
      return [...pages.values()].map((page) => {
        const [main] = [...page.passages].sort(([, a], [, b]) => b.value - a.value)[0];
        const matched = page.matched.filter(Boolean);
        const coverage = all ? Math.min(1, sum(matched.map(({ clue }) => clue.rare * !clue.bonus)) / all) : 1;
        // Matches in other passages of a long page count less.
        const value = sum(matched.map(({ value, level, passage }) => passage === main || level >= NAMED ? value : value * ELSEWHERE));
        const popular = 1 + POPULAR * root.popularity[page.document] + OWN * own.has(page.document);
        const whole = WHOLE * page.whole * popular;
        const rest = value * (1 - COVERAGE + COVERAGE * coverage) * popular;
        return { ...page, matched, main, coverage, rest, score: whole + rest };
      }).sort(better);
    }
    const better = (a, b) => b.score - a.score || a.document - b.document;

    /** Reads the text of the best hits, and moves those up that have the words of the query in one section or as a phrase. */
    async function refine(hits, clues, query) {
      const phrase = plain(query);
      const wanted = clues.filter(({ bonus }) => !bonus);
      const top = await Promise.all(hits.slice(0, DEPTH).map(async (hit) => {
        const read = await passage(hit);
        const [[boost, section]] = [undefined, ...read.sections].map((section) => {
          const text = (section?.slice(1) ?? [read.title, read.summary]).join("\n");
          const has = words.terms(text).map(([term]) => term);
          const share = sum(wanted.map(({ terms, rare }) => terms.some(([term]) => has.includes(term)) ? rare : 0)) / (sum(wanted.map(({ rare }) => rare)) || 1);
          const more = clues.some(({ terms, bonus }) => bonus && terms.some(([term]) => has.includes(term)));
          return [SECTION * share + MORE * more + PHRASE * (phrase.length > 2 && plain(text).includes(phrase)), section];
        }).sort(([a], [b]) => b - a);
        return { ...hit, section, score: hit.score + hit.rest * boost };
      }));
      return [...top.sort(better), ...hits.slice(DEPTH)];
    }

    /** Returns the hits whose text has every quoted phrase. The most likely passages are read first. */
    async function quoting(hits, phrases) {
      const all = hits.flatMap((hit) => [...hit.passages].map(([main, own]) => ({ ...hit, main, own })));
      const likely = all.sort((a, b) => b.own.clues - a.own.clues || b.own.value - a.own.value);
      const says = (text) => phrases.every((phrase) => plain(text).includes(phrase));
      let read = [];
      for (let at = 0; !read.length && at < QUOTED; at += BATCH) {
        read = (await Promise.all(likely.slice(at, at + BATCH).map(async (hit) => {
          const { title, summary, sections } = await passage(hit);
          const section = sections.find(([, heading, text]) => says(`${heading}\n${text}`));
          return section || says(`${title}\n${summary}`) ? [{ ...hit, section }] : [];
        }))).flat();
      }
      return read.filter(({ document }, at) => read.findIndex((hit) => hit.document === document) === at);
    }

    /** Returns the entries for a pasted row, if the query is one. */
    async function printed(query) {
      const rows = await Promise.all(names.rows(query, grammar).map(async (row) => {
        const stems = names.stems(row.name);
        const near = await Promise.all([...new Set(stems.map((stem) => shard("n", stem)))].map((number) => lines("n", number)));
        const entries = near.flat().filter(([stem]) => stems.includes(stem)).map(([, json]) => JSON.parse(json));
        const inside = row.namespace && entries.some((entry) => entry[4] === row.namespace);
        const best = names.best(entries, inside ? row : { ...row, namespace: "" }, grammar).filter(({ fit }) => row.whole || inside || fit.varies);
        const varies = best.some(({ fit }) => fit.varies);
        // A name after its own namespace is the most certain.
        return { row, varies, entries: best.map(({ entry }) => entry), sure: 4 * !!inside + 2 * !!row.kind + varies };
      }));
      return rows.filter(({ entries }) => entries.length).sort((a, b) => b.sure - a.sure)[0];
    }

    /** Returns the documents about a provider and its components. */
    async function documentsOf(provider) {
      if (!provider) return new Set();
      const { providers, documents } = await file("facets");
      const number = providers.findIndex(({ id }) => id === provider);
      return new Set(documents.flatMap(([, ...at], document) => at.includes(number) ? [document] : []));
    }

    /** Returns the hits, best first; the terms that were searched; whether a mistyped word was corrected; the number of words without any match. */
    async function search(all, provider) {
      // The times in `kubectl` output say nothing about the object.
      const query = all.slice(0, LONGEST).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, " ").trim();
      const row = await printed(query);
      // Random parts of a name are not in the index.
      const text = !row ? query : row.varies && row.entries[0][3].replace(/[-.:]?[^-.:{]*\{.*$/, "") || row.row.whole && row.row.name || query;
      const asked = await clues(text);
      const scored = score(asked, await documentsOf(provider));
      const phrases = [...query.matchAll(/["“]([^"”]+)["”]/g)].map(([, phrase]) => plain(phrase));
      const scanned = await (phrases.length ? quoting(scored, phrases) : refine(scored, asked.clues, text));
      // Pages that cover much less of the query than the best one are not results.
      const most = scanned.reduce((most, { coverage }) => Math.max(most, coverage), 0);
      const hits = scanned.filter(({ coverage, whole, matched }) => whole || coverage >= most / 2 || matched.some(({ level }) => level >= PROPER));
      for (const [document, anchor] of new Map(row?.entries)) {
        const at = hits.findIndex((hit) => hit.document === document);
        const [hit] = at < 0 ? [{ document, coverage: 1 }] : hits.splice(at, 1);
        hits.unshift({ ...hit, main: undefined, section: [anchor], printed: row });
      }
      return { hits, terms: new Set(asked.clues.flatMap(({ terms }) => terms.map(([term]) => term))), meant: asked.meant, lost: asked.lost };
    }

    return { search, passage, file };
  }

  const opened = {};
  /** Opens the index of a language of the site at `root`. */
  ksys.open = async (root, lang) => {
    const folder = `${root}search/${lang}/`;
    return opened[folder] ??= index(folder, await ksys.load(`${folder}root.js`));
  };
}
