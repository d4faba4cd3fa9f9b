// Searches the index that src/search.rs writes: a root, and a few files for each query.
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

  // The maximum length of a joined name in characters, as in src/search/name_filter.rs.
  const LONGEST_NAME = 24;

  // Weights, tuned on queries.tsv, judged.tsv, fresh.tsv and threads.tsv in tests/fixtures/search/.
  // The level from which a term is a proper name, the minimum rarity of such a term, and the bonus for its page.
  const PROPER = 60, RARE = 1.94, PROPER_BONUS = 1.06;
  // The rarity of a word that the index does not have, and of one that is on nearly every page.
  const LOST = 3.2, COMMON = 1.5;
  // The factor for matches in another section of the page, except names.
  const ELSEWHERE = 0.93;
  // The share of the score that depends on how much of the query was found.
  const COVERAGE = 0.397;
  // The bonus for each step of the importance of a page, and its factor for a query of one word.
  const IMPORTANT = 0.0112, SHORT = 0.653;
  // The bonus for pages about components of the reader's provider.
  const OWN = 0.8;
  // The bonus for pages about components of a provider that the query names.
  const MEANT = 0.35;
  // The bonus for the page that compares providers by a role, if the query names both.
  const COMPARED = 0.305;
  // The bonus if the whole query is the name.
  const WHOLE = 34;
  // The bonuses for a section with all words of the query, and for one with optional terms.
  const SECTION = 3.1, MORE = 0.18;
  // For the choice of the section that is shown: the weight of a name of the page.
  const NAME_HERE = 0.08;
  // The maximum number of words that are searched.
  const MOST = 8;
  // The maximum number of answers.
  const ANSWERS = 3;
  // A query with more words than this is a pasted message, in which quotation marks don't mean a phrase, and names are this many times as rare.
  const MESSAGE = 8, NAME_IN_MESSAGE = 2.39;

  const files = {};
  ksys.load = (url) => files[url] ??= new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src: url, got: resolve });
    script.onload = () => script.remove();
    script.onerror = () => reject(delete files[url]);
    document.head.append(script);
  });
  ksys.got = (what, value) => document.currentScript.got(value);

  /** Yields the units and levels of a line of the index. */
  function* postings(letters) {
    let unit = 0, shift = 0;
    for (let at = 0; at < letters.length; at++) {
      const value = VALUES[letters[at]];
      unit += (value & 31) << shift;
      shift += 5;
      if (value < 32) {
        shift = 0;
        yield [unit, VALUES[letters[++at]]];
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

  /** The FNV-1a hash of the characters of a text, from a start value; as in src/search/name_filter.rs. */
  const hash = (text, start) => [...text].reduce((hash, letter) => Math.imul(hash ^ letter.codePointAt(), 0x01000193) >>> 0, start);

  const reversed = (text) => [...text].reverse().join("");
  const sum = (numbers) => numbers.reduce((sum, number) => sum + number, 0);
  const found = (lists) => lists.filter((list) => list.length);

  /** Returns the index of a language, from its root. */
  function index(folder, root) {
    const { firsts, grammar } = root;
    const file = (path) => ksys.load(`${folder}${path}.js?${root.version}`);
    // The document of each unit.
    const documents = root.units.flatMap((count, document) => Array(count).fill(document));
    const size = root.units.length;
    /** The first unit of each document. */
    const starts = [];
    root.units.reduce((start, count) => (starts.push(start), start + count), 0);

    /** Returns what a hit shows: its page, and the anchor and the heading of its section; none at the beginning of the page. */
    async function read({ document, unit = starts[document], section }) {
      const pack = await file(`p/${root.packs.findLastIndex((first) => first <= unit)}`);
      const page = pack.find(({ first, units }) => first <= unit && unit < first + units.length);
      section ??= page.units.slice(0, unit - page.first + 1).findLast((heading) => heading);
      return { ...page, area: root.areas[page.area], section: section[0] ? section : undefined };
    }

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

    /** Whether a text can be a name: the filter has all names that aren't too long, and a few other texts. */
    const isName = (text) => [...text].length <= LONGEST_NAME && [0x811c9dc5, 0x9747b28c].every((start) => {
      const bit = hash(text, start) % (root.names.length * 6);
      return VALUES[root.names[Math.floor(bit / 6)]] >> bit % 6 & 1;
    });
    /** Returns a term if it is a name. */
    const ofName = (raw) => isName(words.stem(raw)) ? exact(raw) : [];

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
      return parts.length > 1 ? compound(parts) : similar(raw);
    }

    /** Returns the parts of a compound that isn't a term, such as KubeProxyDown; adjacent ones together if that is a term. */
    async function compound(parts) {
      for (let count = Math.min(3, parts.length - 1); count > 1; count--) {
        for (let from = 0; from + count <= parts.length; from++) {
          const terms = await ofName(words.joined(parts.slice(from, from + count).join("")));
          const rest = (parts) => parts.length ? compound(parts) : [];
          if (terms.length) return [...await rest(parts.slice(0, from)), terms, ...await rest(parts.slice(from + count))];
        }
      }
      const telling = parts.filter((part) => !root.common.includes(words.stem(words.lower(part))));
      return (await Promise.all((telling.length ? telling : parts).map((part) => word(part)))).flat();
    }

    /**
     * Returns corrections of a mistyped word. One mistake affects one half of a word, so the other half is right; only two transposed letters may be in
     * the middle. Words with the same first letters are neighbors in the list of terms, and those with the same last letters in another list.
     */
    async function similar(raw) {
      const forms = [...new Set([raw, words.stem(raw)])].filter((form) => form.length >= 4);
      const lists = forms.map(async (form) => {
        const half = Math.max(2, (form.length - 1) >> 1);
        const [front, back] = await Promise.all([beginning("t", form.slice(0, half)), beginning("b", reversed(form).slice(0, half))]);
        const near = [...front, ...back.map(([line]) => [reversed(line)])];
        const like = resembling(form);
        return near.map(([word]) => word).filter((word) => like.test(word));
      });
      const known = [...new Set((await Promise.all(lists)).flat())].slice(0, 6);
      let meant = (await Promise.all(known.map((word) => exact(word)))).flat();
      // A suffix that the stemmer does not remove.
      const stem = words.stem(raw);
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
      // Hiragana are searched without a leading particle, and if no text has them, as katakana.
      if (kind === "hiragana") {
        const terms = await exact(words.terms(text).at(-1)?.[0], open);
        const katakana = text.replace(/[ぁ-ゖ]/g, (letter) => String.fromCharCode(letter.charCodeAt() + 96));
        return terms.length || text.length < 3 ? found([terms]) : run([...words.shortened(katakana)], 8);
      }
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
      // Of a long message, the longest words are names and terms.
      const longest = [...telling].sort((a, b) => b.text.length - a.text.length).slice(0, MOST);
      for (const piece of useful) piece.weak = piece.kind === "hiragana" || root.weak.includes(words.lower(piece.text));
      const asked = [telling.filter((piece) => longest.includes(piece)), useful, pieces].find((pieces, at) => pieces.length > 1 - at);
      const lists = await Promise.all(asked.map(resolve));
      const extra = [];
      // Compounds written as separate words: `kube proxy` is `kubeproxy`.
      const raws = asked.map(({ text, kind }, at) => kind === "word" && !/[-._/]/.test(text) ? lists[at][0]?.meant ?? [words.joined(text)] : []);
      for (let from = 0; asked.length <= 6 && from < asked.length; from++) {
        for (const to of [from + 2, from + 3]) {
          const joined = raws.slice(from, to).reduce((all, next) => all.flatMap((start) => next.map((end) => start + end)), [""]);
          if (to <= asked.length) for (const raw of joined.slice(0, 6)) extra.push(ofName(raw));
        }
      }
      // The segments of a path.
      for (const { text } of asked) if (text.includes("/")) for (const step of text.split("/")) if (step.length > 2) extra.push(ofName(words.joined(step)));
      const key = words.key(query);
      if (!lists.flat(2).some(([term]) => term === key)) extra.push(ofName(key));
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

    const isCommon = ([term]) => root.common.includes(term);

    /** Scores every page. */
    function score({ clues, lost, key }, own, meant, compared) {
      const pages = new Map();
      let all = lost * LOST;
      clues.forEach((clue, number) => {
        const best = new Map();
        for (const [term, letters, quality] of clue.terms) {
          for (const [unit, level] of postings(letters)) {
            const weight = quality * level / TOP;
            if (!(best.get(unit)?.weight >= weight)) best.set(unit, { weight, level, named: level >= NAMED && quality === 1, whole: level >= NAMED && term === key });
          }
        }
        const count = new Set([...best.keys()].map((unit) => documents[unit])).size;
        const common = clue.terms.every(isCommon);
        const proper = [...best.values()].some(({ named, level }) => named && level >= PROPER);
        clue.rare = Math.max(proper && RARE, common ? COMMON : Math.log(1 + size / (count || 1)));
        if (proper && clues.length > MESSAGE) clue.rare *= NAME_IN_MESSAGE;
        all += clue.rare * !clue.bonus;
        for (const [unit, { weight, level, named, whole }] of best) {
          const document = documents[unit];
          if (!pages.has(document)) pages.set(document, { document, matched: [], units: new Map(), whole: 0 });
          const page = pages.get(document);
          const value = (clue.rare + PROPER_BONUS * named) * weight;
          if (!(page.matched[number]?.value >= value)) page.matched[number] = { value, level, unit, clue };
          if (!page.units.has(unit)) page.units.set(unit, []);
          page.units.get(unit).push([number, weight]);
          if (whole) page.whole = Math.max(page.whole, weight);
        }
      });
      const wanted = clues.filter(({ bonus }) => !bonus).length;
      return [...pages.values()].map((page) => {
        // What names the page is true of all its sections, and doesn't show which one has the answer.
        const isNamed = (number) => page.matched[number].level >= NAMED && page.matched[number].unit === starts[page.document];
        const named = sum(page.matched.map(({ clue }, number) => isNamed(number) ? clue.rare * !clue.bonus : 0));
        const units = [...page.units].map(([unit, has]) => ({
          unit,
          value: sum(has.map(([number, weight]) => isNamed(number) ? NAME_HERE * clues[number].rare : clues[number].rare * weight)),
          share: named + sum(has.map(([number]) => isNamed(number) ? 0 : clues[number].rare * !clues[number].bonus)),
          more: has.some(([number]) => clues[number].bonus),
        }));
        const { unit, share, more } = units.reduce((best, unit) => unit.value > best.value ? unit : best);
        const matched = page.matched.filter(Boolean);
        const coverage = all ? Math.min(1, sum(matched.map(({ clue }) => clue.rare * !clue.bonus)) / all) : 1;
        // Matches in other sections of the page count less.
        const value = sum(matched.map(({ value, level, unit: of }) => of === unit || level >= NAMED ? value : value * ELSEWHERE));
        const factor = 1 + IMPORTANT * (wanted > 1 ? 1 : SHORT) * root.importance[page.document] + OWN * own.has(page.document) + MEANT * meant.has(page.document) + COMPARED * compared.has(page.document);
        const whole = WHOLE * page.whole * factor;
        const rest = value * (1 - COVERAGE + COVERAGE * coverage) * factor;
        return { ...page, unit, matched, coverage, score: whole + rest * (1 + SECTION * (all ? share / all : 1) + MORE * !!more) };
      }).sort(better);
    }
    const better = (a, b) => b.score - a.score || a.document - b.document;

    /** Returns the entries for a pasted row, if the query is one. */
    async function printed(query) {
      const rows = await Promise.all(names.rows(query, grammar).map(async (row) => {
        const stems = names.stems(row.name);
        const near = await Promise.all([...new Set(stems.map((stem) => shard("n", stem)))].map((number) => lines("n", number)));
        const entries = near.flat().filter(([stem]) => stems.includes(stem)).map(([, json]) => JSON.parse(json));
        const inside = row.namespace && entries.some((entry) => entry[4] === row.namespace);
        const best = names.best(entries, inside ? row : { ...row, namespace: "" }, grammar).filter(({ fit }) => row.whole || inside || fit.random);
        const varies = best.some(({ fit }) => fit.varies);
        // A name after its own namespace is the most certain.
        return { row, varies, entries: best.map(({ entry }) => entry), sure: 8 * !!inside + 4 * !!row.kind + 2 * varies + (!row.kind && !!row.namespace) };
      }));
      return rows.filter(({ entries }) => entries.length).sort((a, b) => b.sure - a.sure)[0];
    }

    /** Returns the documents about providers and their components. */
    async function documentsOf(ids) {
      if (!ids.length) return new Set();
      const { providers, documents } = await file("facets");
      const numbers = ids.map((id) => providers.findIndex((provider) => provider.id === id));
      return new Set(documents.flatMap(([, ...at], document) => numbers.some((number) => at.includes(number)) ? [document] : []));
    }

    /** Returns the hits, best first; the terms that were searched; whether a mistyped word was corrected; the number of words without any match. */
    async function search(all, provider) {
      // The times in `kubectl` output say nothing about the object.
      const query = all.slice(0, LONGEST).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, " ").trim();
      const row = await printed(query);
      // Random parts of a name are not in the index.
      const fixed = row?.varies && row.entries[0][3].replace(/[-.:]?[^-.:{]*\{.*$/, "");
      // A question has other words.
      const text = row?.row.whole ? fixed || row.row.name : fixed ? query.replace(row.row.name, fixed) : query;
      const asked = await clues(text);
      const named = (kind) => ksys.named(query, root).filter((what) => what.startsWith(kind)).map((what) => what.slice(2));
      const meant = named("p:"), roles = meant.length ? named("r:").map((role) => root.comparisons[role]) : [];
      let scored = score(asked, await documentsOf(provider ? [provider] : []), await documentsOf(meant), new Set(roles));
      // The words of a quoted phrase are in one section. Messages quote single words.
      const phrases = [...query.matchAll(/["“]([^"”]+)["”]/g)].filter(([quoted, phrase]) => quoted === query || /\s/.test(phrase));
      const [total, others] = [query, query.replace(/["“][^"”]+["”]/g, " ")].map((text) => [...words.pieces(text)].length);
      if (phrases.length && (!others || total <= MESSAGE)) {
        const quoted = (await clues(phrases.map(([, phrase]) => phrase).join(" "))).clues.filter(({ bonus, terms }) => !bonus && !terms.some(isCommon));
        const units = quoted.map(({ terms }) => new Set(terms.flatMap(([, letters]) => [...postings(letters)].map(([unit]) => unit))));
        const has = (unit) => units.every((of) => of.has(unit));
        const whole = scored.flatMap((hit) => {
          const unit = has(hit.unit) ? hit.unit : [...hit.units.keys()].find(has);
          return unit === undefined ? [] : [{ ...hit, unit }];
        });
        if (whole.length) scored = whole;
      }
      // Pages that cover much less of the query than the best one are not results.
      const most = scored.reduce((most, { coverage }) => Math.max(most, coverage), 0);
      const hits = scored.filter(({ coverage, whole, matched }) => whole || coverage >= most / 2 || matched.some(({ level }) => level >= PROPER));
      for (const [document, anchor] of new Map(row?.entries)) {
        const at = hits.findIndex((hit) => hit.document === document);
        const [hit] = at < 0 ? [{ document, coverage: 1 }] : hits.splice(at, 1);
        hits.unshift({ ...hit, unit: undefined, section: anchor ? [anchor] : [], printed: row });
      }
      return { hits, terms: new Set(asked.clues.flatMap(({ terms }) => terms.map(([term]) => term))), meant: asked.meant, lost: asked.lost };
    }

    /** Returns the facts that answer a query by themselves, `[title, text, url, checked]`. The hits are those of `search`. */
    async function answers(query, hits, provider) {
      const isNamed = ({ matched, printed, whole }) => printed || whole || matched.some(({ level, clue }) => level >= PROPER && !clue.bonus);
      const keys = ksys.asked(query, root, hits.find(isNamed)?.document, provider);
      const all = await Promise.all(keys.map(async (key) => (await near("a", key)).filter(([of]) => of === key)));
      return all.flat().slice(0, ANSWERS).map(([, json]) => JSON.parse(json));
    }

    return { search, read, file, answers };
  }

  const opened = {};
  /** Opens the index of a language of the site at `root`. */
  ksys.open = async (root, lang) => {
    const folder = `${root}search/${lang}/`;
    return opened[folder] ??= index(folder, await ksys.load(`${folder}root.js`));
  };
}
