// Finds pages in the index that src/search.rs makes: a root, and a few small files for each query.
// Files are scripts that call `ksys.got`, because a page that was opened from a disk may read nothing else.
{
  const { words, names } = ksys;
  const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const VALUES = Object.fromEntries([...DIGITS].map((digit, value) => [digit, value]));
  // As in src/search/postings.rs: from this level on, a term that is the whole query names the page.
  const NAMED = 52;
  const TOP = 63;
  // A prefix is looked for in so many shards at most.
  const SHARDS = 3;
  // What is longer was pasted: its beginning tells what it is, and each word costs a file.
  const LONGEST = 200;

  // Weights, tuned on tests/fixtures/search/queries.tsv.
  // From this level on, a term is a proper name: it counts as rare as this at least, and its page gets this much more.
  const PROPER = 60, RARE = 2.2, PROPER_BONUS = 0.45;
  // What a word is worth that is nowhere, and one that is nearly everywhere.
  const LOST = 9, COMMON = 2;
  // What stands in another passage of the page, and is no name, counts so much.
  const ELSEWHERE = 0.6;
  // How much depends on having found all of the query.
  const COVERAGE = 0.75;
  // Per doubling of the pages that lead to a page.
  const POPULAR = 0.02;
  // The whole query is the name.
  const WHOLE = 34;
  // One section says it all; and what would be nice; in the same words.
  const SECTION = 1.5, MORE = 0.1, PHRASE = 0.7;
  // Which passage of a page is shown: the one whose text says most, up to this weight of each word, and where the name is a little more.
  const TEXT = 0.7, NAME_HERE = 0.3;
  // How many texts are read to decide; and to find a quoted phrase, at a time until one has it.
  const DEPTH = 7, BATCH = 14, QUOTED = 84;

  const files = {};
  ksys.load = (url) => files[url] ??= new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src: url, got: resolve });
    script.onload = () => script.remove();
    script.onerror = () => reject(delete files[url]);
    document.head.append(script);
  });
  ksys.got = (what, value) => document.currentScript.got(value);

  /** Passages and levels of a line of the index. */
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

  /** What differs from a word by one letter that is wrong, missing, too many, or swapped with its neighbour. */
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

  /** The index of a language, from its root. */
  function index(folder, root) {
    const { firsts, grammar } = root;
    const file = (path) => ksys.load(`${folder}${path}.js?${root.version}`);
    // The document of each passage, and the first passage of each document.
    const documents = root.passages.flatMap((count, document) => Array(count).fill(document));
    const size = root.passages.length;
    const passage = ({ main, document }) => file(`p/${document}-${main ? main - documents.indexOf(document) : 0}`);

    /** The number of the shard that holds a key. */
    const shard = (kind, key) => Math.max(0, firsts[kind].findLastIndex((first) => first <= key));
    /** The lines of a shard, split at the tab. A site of plain pages has no printed names. */
    const lines = async (kind, number) => firsts[kind].length ? (await file(`${kind}/${number}`)).split("\n").map((line) => line.split("\t")) : [];
    /** Those of the shard in which a key would stand. */
    const near = (kind, key) => lines(kind, shard(kind, key));
    /** Those whose key begins with a text, from a few shards at most. */
    async function beginning(kind, text) {
      const shards = [];
      const from = shard(kind, text);
      for (let number = from; number <= Math.min(shard(kind, `${text}\uffff`), from + SHARDS - 1); number++) shards.push(lines(kind, number));
      return (await Promise.all(shards)).flat().filter(([key]) => key.startsWith(text));
    }

    // What a query may mean is told as lists of `[term, postings, quality]`.

    /** A term as it is, and while one types what begins like it. */
    async function exact(raw, open) {
      if (!raw) return [];
      const stem = words.stem(raw);
      const terms = (await near("t", stem)).filter(([term]) => term === stem).map((line) => [...line, 1]);
      const longer = open ? await beginning("t", raw) : [];
      return [...terms, ...longer.filter(([term]) => term !== stem).map(([term, letters]) => [term, letters, 0.4 + 0.4 * raw.length / term.length])];
    }

    async function word(text, open) {
      // Ports as kubectl prints them: 53/UDP.
      const raw = words.joined(/^\d+\/[a-z]+$/i.test(text) ? text.split("/")[0] : text);
      if (raw.length < 2) return [];
      const terms = await exact(raw, open);
      if (terms.length) return [terms];
      const parts = text.split(/[-._/]/).flatMap(words.capitals);
      return parts.length > 1 ? (await Promise.all(parts.map((part) => word(part)))).flat() : similar(words.stem(raw));
    }

    /**
     * Words that a mistyped one may have been meant to be. The lists are sorted by length, then by the first letters or by the last ones:
     * a mistake is in one half of a word, so the other half is right; two swapped letters may be the middle.
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
      // An ending that the stems do not know.
      if (!meant.length) meant = (await near("t", stem)).filter(([term]) => stem.startsWith(term) && term.length >= 4 && stem.length - term.length <= 3);
      return found([Object.assign(meant.map(([term, letters]) => [term, letters, 0.7]), { meant: meant.map(([term]) => term) })]);
    }

    /** A run of ideographs or katakana, taken apart into the longest terms of the index where it is no term itself. */
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
      // Hiragana are looked for as they stand, without a particle before them.
      if (kind === "hiragana") return found([await exact(words.terms(text).at(-1)?.[0], open)]);
      const letters = [...kind === "katakana" ? words.shortened(text) : text];
      if (kind === "katakana" || letters.length > 1) return run(letters, kind === "katakana" ? 8 : 6);
      const [stem, form] = await Promise.all([exact(text), exact(text + next)]);
      return found([next ? [...stem.map(([term, letters]) => [term, letters, 0.6]), ...form] : stem]);
    }

    /** What a query looks for: lists of terms. A bonus is worth something where it is found, and no loss where it is not. */
    async function clues(query) {
      const pieces = [...words.pieces(words.normal(query))];
      // The last word may go on.
      for (const piece of pieces.slice(-1)) piece.open = true;
      const useful = pieces.filter(({ text }) => !root.ignored.includes(words.lower(text)));
      // In a long question, verbs that are everywhere say nothing.
      const telling = useful.length > 3 ? useful.filter(({ text }) => text.length > 1 || !root.common.includes(text)) : [];
      for (const piece of useful) piece.weak = piece.kind === "hiragana" || root.weak.includes(words.lower(piece.text));
      const asked = [telling, useful, pieces].find((pieces, at) => pieces.length > 1 - at);
      const lists = await Promise.all(asked.map(resolve));
      const extra = [];
      // Words that were written apart: kube proxy is kubeproxy.
      const raws = asked.map(({ text, kind }, at) => kind === "word" && !/[-._/]/.test(text) ? lists[at][0]?.meant ?? [words.joined(text)] : []);
      for (let from = 0; asked.length <= 6 && from < asked.length; from++) {
        for (const to of [from + 2, from + 3]) {
          const joined = raws.slice(from, to).reduce((all, next) => all.flatMap((start) => next.map((end) => start + end)), [""]);
          if (to <= asked.length) for (const raw of joined.slice(0, 6)) extra.push(exact(raw, asked[to - 1].open));
        }
      }
      // The steps of a path.
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
    function score({ clues, lost, key }) {
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
          // Names stand in the first passage only, and say nothing of where the rest is answered.
          page.passages.set(passage, { value: own.value + clue.rare * Math.min(weight, TEXT) + NAME_HERE * named, clues: own.clues + !clue.bonus });
          if (whole) page.whole = Math.max(page.whole, weight);
        }
      });
      return [...pages.values()].map((page) => {
        const [main] = [...page.passages].sort(([, a], [, b]) => b.value - a.value)[0];
        const matched = page.matched.filter(Boolean);
        const coverage = all ? Math.min(1, sum(matched.map(({ clue }) => clue.rare * !clue.bonus)) / all) : 1;
        // What stands elsewhere on a long page says less about this one.
        const value = sum(matched.map(({ value, level, passage }) => passage === main || level >= NAMED ? value : value * ELSEWHERE));
        const popular = 1 + POPULAR * root.popularity[page.document];
        const whole = WHOLE * page.whole * popular;
        const rest = value * (1 - COVERAGE + COVERAGE * coverage) * popular;
        return { ...page, matched, main, coverage, rest, score: whole + rest };
      }).sort(better);
    }
    const better = (a, b) => b.score - a.score || a.document - b.document;

    /** Reads the text of the best hits, and puts those first that say in one place what was asked, or in the same words. */
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

    /** The hits whose text has every quoted phrase, read from the most likely passages on. */
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

    /** What a pasted row names, if it is one. */
    async function printed(query) {
      const rows = await Promise.all(names.rows(query, grammar).map(async (row) => {
        const stems = names.stems(row.name);
        const near = await Promise.all([...new Set(stems.map((stem) => shard("n", stem)))].map((number) => lines("n", number)));
        const entries = near.flat().filter(([stem]) => stems.includes(stem)).map(([, json]) => JSON.parse(json));
        const inside = row.namespace && entries.some((entry) => entry[4] === row.namespace);
        const best = names.best(entries, inside ? row : { ...row, namespace: "" }, grammar).filter(({ fit }) => row.whole || inside || fit.varies);
        const varies = best.some(({ fit }) => fit.varies);
        // A name behind its own namespace is surest.
        return { row, varies, entries: best.map(({ entry }) => entry), sure: 4 * !!inside + 2 * !!row.kind + varies };
      }));
      return rows.filter(({ entries }) => entries.length).sort((a, b) => b.sure - a.sure)[0];
    }

    /** The pages that a query may mean, best first; the terms that it was taken for; whether one was mistyped. */
    async function search(all) {
      const query = all.slice(0, LONGEST);
      const row = await printed(query);
      // Random parts of a name lead nowhere.
      const text = !row ? query : row.varies && row.entries[0][3].replace(/[-.:]?[^-.:{]*\{.*$/, "") || row.row.whole && row.row.name || query;
      const asked = await clues(text);
      const scored = score(asked);
      const phrases = [...query.matchAll(/["“]([^"”]+)["”]/g)].map(([, phrase]) => plain(phrase));
      const scanned = await (phrases.length ? quoting(scored, phrases) : refine(scored, asked.clues, text));
      // What has much less of the query than the best is no result.
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
