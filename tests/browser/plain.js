// Generates plain sites of any size with realistic frequencies of words, for the cost of the search.
//
// The frequency of a word is about inverse to its rank (Zipf's law with Mandelbrot's offset), and pages repeat their own words. So the vocabulary grows with the
// number of pages as in real texts, which the few words of benches/corpus/ don't show. The first words are English, rarer ones are made of syllables.
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { numbers } from "./random.js";

/** The most frequent words, whose queries would be of no use to a reader. */
const FUNCTION = `the of to and a in is for that it with as be on this by are or from an if not can at when you which has its have all will use one only each
  must other no more than but may so into up then there their they any also does do these after before used was without same between until some both how
  what where`.split(/\s+/);
const COMMON = `node cluster pod service name container file version default controller server set request value network image command address resource volume
  policy start create run delete change update configuration example label key list object system data time group access application process type port
  field add option user status error number client traffic component write read storage certificate host path memory route event backend token state
  replica endpoint namespace interface manifest scheduler agent queue metric restart driver cache record snapshot rule table quota secret webhook log
  debug upgrade install support require contain provide return allow specify apply connect monitor release feature security limit template cloud zone`
  .split(/\s+/);
const LETTERS = ["bcdfghklmnprstvw", "aeiou", ["n", "r", "l", "t", "m", "st", "ck"]];
const FORMS = ["", "s", "ing", "er"];
/** The number of different words, the exponent of Zipf's law, and the offset of ranks. */
const VOCABULARY = 150_000, EXPONENT = 1.2, OFFSET = 2.7;
/** Pages per folder, sections per page, and words per section. */
const FOLDER = 50, SECTIONS = 4, WORDS = 220;
/** The share of words, in percent, that the page had before. */
const REPEATED = 30;

/** Returns the word of a rank. Rare words are three syllables with an ending. */
function word(rank) {
  const listed = FUNCTION[rank] ?? COMMON[rank - FUNCTION.length];
  if (listed) return listed;
  const number = rank - FUNCTION.length - COMMON.length;
  // A multiplication by an odd number is a bijection, and distributes adjacent numbers over the alphabet.
  let rest = Math.imul(number >> 2, 0x9e3779b1) & 0x7ffff;
  let text = "";
  for (const letters of [...LETTERS.slice(0, 2), ...LETTERS.slice(0, 2), ...LETTERS]) {
    text += letters[rest % letters.length];
    rest = Math.floor(rest / letters.length);
  }
  return text + FORMS[number & 3];
}

/** Returns a generator of words with the frequencies of the vocabulary. */
function words(random) {
  const list = [], sums = [];
  let sum = 0;
  for (let rank = 0; rank < VOCABULARY; rank++) {
    list.push(word(rank));
    sums.push(sum += (rank + OFFSET) ** -EXPONENT);
  }
  return () => {
    const wanted = random(2 ** 32) / 2 ** 32 * sum;
    let [from, to] = [0, VOCABULARY - 1];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (sums[middle] > wanted) to = middle;
      else from = middle + 1;
    }
    return list[from];
  };
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
const path = (number) => `s${String(Math.floor(number / FOLDER)).padStart(4, "0")}/p${String(number).padStart(5, "0")}`;
const isTelling = (word) => !FUNCTION.includes(word);

/** Returns the text of a page, and the words of each section that queries are made of. */
function page(random, next, count) {
  const seen = [];
  const one = () => {
    const word = seen.length && random(100) < REPEATED ? seen[random(seen.length)] : next();
    seen.push(word);
    return word;
  };
  const telling = () => {
    for (;;) {
      const word = one();
      if (isTelling(word)) return word;
    }
  };
  const title = [telling(), telling(), telling()];
  const sections = [];
  let text = `# ${capital(title.join(" "))}\n`;
  for (let section = 0; section < SECTIONS; section++) {
    const own = [...title, telling(), telling()];
    text += `\n## ${capital(own.slice(-2).join(" "))} {#section-${section}}\n\n`;
    for (let left = WORDS; left > 0;) {
      const sentence = Array.from({ length: Math.min(left, 8 + random(12)) }, one);
      left -= sentence.length;
      own.push(...sentence);
      text += `${capital(sentence.join(" "))}.${random(4) ? " " : "\n\n"}`;
    }
    text += `\n\nSee [${own.at(-1)}](../${path(random(count))}.md) and \`${telling()}\`.\n`;
    sections.push(own.filter(isTelling));
  }
  return { text, sections };
}

/**
 * Builds a site of `count` pages with a program in an empty folder. Returns the folder of the site, and a function that returns random queries: one to four words
 * of a section.
 */
export async function plain(program, folder, count) {
  const random = numbers(count);
  const next = words(random);
  const sections = [];
  const write = async (name, text) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  };
  await write("book.toml", '[book]\ntitle = "Plain pages"\n');
  await write("content/README.md", "# Plain pages\n\nPages of random words.\n");
  for (let number = 0; number < count; number++) {
    const { text, sections: own } = page(random, next, count);
    sections.push(...own);
    await write(`content/${path(number)}.md`, text);
  }
  const site = join(folder, "site");
  await promisify(execFile)(program, ["build", "--no-git", "--no-sync", "-d", site, folder], { maxBuffer: 1 << 26 });
  const query = (random) => {
    const from = sections[random(sections.length)];
    return Array.from({ length: 1 + random(4) }, () => from[random(from.length)]).join(" ");
  };
  return { site, query };
}
