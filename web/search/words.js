// The tokenizer and stemmer of the search. It follows src/search/tokenizer.rs and stem.rs rule for rule; the reasons are documented there.
// tests/fixtures/search/words.json checks that both sides agree.
{
  const MAX_JOINED = 48;
  const PREFIXES = "再未非不無全各新旧約毎最大小同主副超準両複単多高低前後第被要元現仮実本別他";
  const PARTICLES = "をはがにのでともへや";
  const NO_BEGINNING = "ーァィゥェォャュョッンヮヵヶ";
  const LETTERS = "0-9A-Za-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u1fff\\u2c00-\\u2dff\\u3100-\\u31ef\\u3200-\\u33ff\\ua000-\\uabff\\ud7a4-\\ud7ff\\ufb00-\\ufdff\\ufe70-\\ufefe\\u{10000}-\\u{1efff}";
  const HIRAGANA = "\\u3041-\\u3096\\u309d-\\u309f";
  const IDEOGRAPHS = "々〆〇\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uac00-\\ud7a3\\u{20000}-\\u{3ffff}";
  const PIECES = new RegExp(`([${LETTERS}]+(?:[-._/][${LETTERS}]+)*)|([\\u30a1-\\u30fa\\u30fc-\\u30fe\\u31f0-\\u31ff]+)|([${HIRAGANA}][${HIRAGANA}ー]*)|([${IDEOGRAPHS}]+)(?=([${HIRAGANA}]?))`, "gu");
  const DROPPED = /[\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff\u{e0100}-\u{e01ef}]/gu;
  const KINDS = ["word", "katakana", "hiragana", "ideographs"];

  const normal = (text) => text.normalize("NFKD").replace(DROPPED, "").normalize("NFC");
  // Lower case does not depend on the surrounding letters, so a final sigma is no exception.
  const lower = (text) => text.replaceAll("Σ", "σ").toLowerCase();
  const count = (text) => [...text].length;

  /** Yields the runs of word characters, `{kind, text, at, next}`; `next` is the hiragana after ideographs. The text must be normalized. */
  function* pieces(text) {
    for (const found of text.matchAll(PIECES)) {
      const kind = [1, 2, 3, 4].find((group) => found[group]);
      yield { kind: KINDS[kind - 1], text: found[kind], at: found.index, next: found[5] || "" };
    }
  }

  function undoubled(word) {
    return /([^aeioulsz])\1$/.test(word) ? word.slice(0, -1) : word;
  }
  function stem(word) {
    if (!/^[a-z]{4,}$/.test(word)) return word;
    if (/.ies$/.test(word) && word.length > 4) word = `${word.slice(0, -3)}y`;
    else if (/(sses|xes|ches|shes|zes)$/.test(word)) word = word.slice(0, -2);
    else if (/[^s]s$/.test(word) && !/[ui]s$/.test(word)) word = word.slice(0, -1);
    const rest = /eed$/.test(word) ? null : /^(.{3,}?)(?:ing|ed)$/.exec(word)?.[1];
    if (rest && /[aeiouy]/.test(rest)) word = undoubled(rest);
    if (/[ts]ion$/.test(word) && word.length >= 7) word = word.slice(0, -3);
    if (/e$/.test(word) && word.length >= 4) word = word.slice(0, -1);
    if (/at$/.test(word) && word.length >= 7) word = word.slice(0, -2);
    if (/i$/.test(word) && word.length >= 4) word = `${word.slice(0, -1)}y`;
    return word;
  }

  /** Joins a compound: `kube-proxy` is `kubeproxy`. Connectors between digits stay. */
  const joined = (word) => lower(word.replace(/(?<![0-9])[-._/]|[-._/](?![0-9])/g, ""));
  const capitals = (atom) => atom.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z]{2})(?=[A-Z][a-z])/);
  const shortened = (run) => {
    const short = run.replace(/ー+$|(?<=[アカサタナハマヤラワガザダバパァャヮイキシチニヒミリギジヂビピィ])ー+/g, "");
    return count(short) > 1 ? short : run;
  };

  /** Returns the whole text as one term, for names. */
  function key(text) {
    let all = "";
    for (const piece of pieces(normal(text))) {
      all += piece.kind === "word" ? joined(piece.text) : piece.kind === "katakana" ? shortened(piece.text) : piece.text;
    }
    return count(all) > MAX_JOINED ? "" : stem(all);
  }

  const terms = {
    *word(word) {
      const long = (text) => text.length > 1 || text > "\x7f";
      const whole = joined(word);
      if (long(whole) && count(whole) <= MAX_JOINED) yield [stem(whole), 10];
      if (word.includes("/")) {
        for (const step of word.split("/")) if (/[-._]/.test(step)) yield [stem(joined(step)), 10];
      }
      const compound = /[-._/]/.test(word);
      for (const atom of word.split(/[-._/]/)) {
        if (compound && long(atom)) yield [stem(lower(atom)), 7];
        const inner = capitals(atom);
        if (inner.length > 1) for (const part of inner) if (long(part)) yield [stem(lower(part)), 6];
      }
    },
    *katakana(run) {
      const letters = [...shortened(run)];
      for (let at = 0; at < letters.length; at++) {
        const left = letters.length - at;
        const tail = letters.slice(at, at + 8).join("");
        if (at === 0 && left >= 2) yield [tail, 10];
        if (at > 0 && left >= 3 && !NO_BEGINNING.includes(letters[at])) yield [tail, 5];
      }
    },
    *hiragana(run) {
      const letters = [...run];
      for (const at of PARTICLES.includes(letters[0]) ? [0, 1] : [0]) {
        if (letters.length - at >= 3) yield [letters.slice(at, at + 6).join(""), 5];
      }
    },
    *ideographs(run, next) {
      const letters = [...run];
      for (let at = 0; at < letters.length; at++) {
        const left = letters.length - at;
        const tail = letters.slice(at, at + 6).join("");
        if (at === 0) yield [tail, left === 1 ? 4 : 10];
        if (left === 1 && at === 0 && next) yield [tail + next, 6];
        if (at > 0 && left >= 2) yield [tail, !(at % 2) || PREFIXES.includes(letters[at - 1]) ? 6 : 2];
      }
    },
  };

  /** Returns every term of a text with its quality. */
  const all = (text) => [...pieces(normal(text))].flatMap(({ kind, text, next }) => [...terms[kind](text, next)]);

  // The page that explains listings has defined `ksys` already.
  (window.ksys ??= {}).words = { normal, pieces, stem, joined, capitals, shortened, key, lower, terms: all };
}
