/** One word per thing (docs/glossary.md): words and file names that were given up must not come back. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const SELF = "tests/lint/vocabulary.test.ts";

const files = ["src", "tests", "scripts"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file}`)
    .filter((file) => file !== SELF),
);
const sources = files.filter((file) => /^(src|tests|scripts)\/.*\.(ts|tsx|mjs)$/.test(file));
const styles = files.filter((file) => file.endsWith(".css"));

const read = new Map<string, readonly string[]>();
function linesOf(file: string): readonly string[] {
  const lines = read.get(file) ?? readFileSync(join(root, file), "utf8").split("\n");
  read.set(file, lines);
  return lines;
}
/** Each line of the sources that matches, as `file:line: text`. */
const linesWith = (word: RegExp, among: readonly string[]): string[] =>
  among.flatMap((file) =>
    linesOf(file).flatMap((line, i) =>
      word.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [],
    ),
  );

/** A word that was given up, and what to say. */
const GIVEN_UP: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bplanes?\b/i, "call coordinator"],
  [/\bseats?\b/i, "signalling session"],
  [/\btenures?\b/i, "sockets lease"],
  [/\bcarriers?\b/i, "engine adapter"],
  [/\btelling\b/i, "messenger, or report"],
  [/\banew\b/i, "again, or from zero"],
  [
    /(\/\/|\*) .*\btold\b(?! apart)|["`][^"`]* told (?!apart)[^"`]*["`]/i,
    "reported, shown, or learns",
  ],
  [/\bnobody's\b/i, "a sentence with a subject"],
  [/\bwhoever\b/i, "the person who, or a plain subject"],
  [/\bspec (§|R\d)/, "a link to docs/"],
];

/**
 * Names that must be learnt, because they do not say what they do at the call. What stays is a word of a wire or of a library's interface.
 */
const UNCLEAR =
  /(?:\b(?:const|let|function|readonly|async)\s+|^\s+|[({,]\s*)(?:take|tell|told|wishes|turns|following)(?:\??:|\s*=>?|\(|<|,)|\b(?:const|let|function)\s+(?:of|mine|say)\b/;

interface Narrow {
  readonly word: RegExp;
  /** The paths to which the rule applies; without it, to all. */
  readonly among?: RegExp;
  readonly instead: string;
  /** What may hold the word, each with its reason. */
  readonly spellings: readonly (readonly [RegExp, reason: string])[];
  /** Files and folders, by the begin of their paths, in which the word is right, each with its reason. */
  readonly files: Readonly<Record<string, string>>;
  /** Lines that must be found. */
  readonly breaches: readonly string[];
}

/** Words with one meaning, which must not be used for another thing. */
const NARROW: readonly Narrow[] = [
  {
    word: /room/i,
    instead: "conference, session, inside, or space",
    spellings: [
      [/join-?Room|room_?name|conferences\/room|rtc\.room/gi, "the platform's call by a name"],
      [/[cC]hat ?_?[rR]ooms?|\|ROOM\)|\broomId:/g, "chat rooms of the chat's protocol"],
      [/video ?rooms?|libjanus_textroom/gi, "plugins of Janus"],
      [/green[-_ ]?rooms?/gi, "what products call the preview before a conference"],
      [/(?:step: |literal\(|case )"room"|"ann: room"/g, "a step of a growing call on the wire"],
      [/headroom|\b(?:no|has|makes?|is|with) room\b/gi, "free space, in a sentence"],
      [/\ben: ".*"|\benter: \{.*|\bothers see your room/g, "user texts in English"],
      [/control_room/g, "an entry of the dictionary"],
    ],
    files: { "src/server/modules/media-node/janus/": "the adapter of Janus" },
    breaches: [
      "const room = useConference();",
      "/** Leaves the room. */",
      't("conference.room.id")',
    ],
  },
  {
    word: /link/i,
    among:
      /^(?:src\/(?:rtc-main|core-client|workers\/core|ui\/features\/group-call|server\/modules\/(?:calls|conferences|media-node|quality|signalling))|tests\/(?:agora|conference|media|torture))\//,
    instead: "connection, socket, transport, port, or network",
    spellings: [
      [/comlink/gi, "a package"],
      [/uplink|slowlink/gi, "the way to the node, and an event of Janus"],
      [/\blinks?: "connections?"/g, "what former builds stored"],
      [/record requires a linked stream/g, "a text that the platform fixes"],
    ],
    files: {
      "src/rtc-main/recording/download.ts": "an <a>",
      "src/workers/core/conferences/invitations.ts": "the address in an invitation",
      "src/workers/core/former-names.test.ts": "what former builds stored",
      "src/workers/core/session/menu-id.test.ts": "a menu that leads to another site",
    },
    breaches: ["linkOf(stream: View): string | null;", "const link = openSocket();"],
  },
  {
    word: /(?:slow|narrow|weak)[- ]?link|\blink-(?:banner|spinner)|t\(["`](?:\w+\.)*link\.|\blink = use/i,
    instead: "network, coreState, or connection",
    spellings: [[/slowlink/g, "an event of Janus"]],
    files: {},
    breaches: [
      "startSlowLink(options)",
      'className="link-banner"',
      "t(`call.link.${state}`)",
      "const link = useCoreState();",
    ],
  },
  {
    word: /Confr|\bconfr-/,
    instead: "conference",
    spellings: [
      [/\bconfr-[a-z]+\.ts|\bjoinConfrTime\b|"Confr"/g, "the platform's wire and its schemas"],
      [/\bonConfr\w+Updated|\bselectConfr\b|\bConfrAttr\b/g, "the interface of the platform's SDK"],
      [/\b(?:request|share)\.confr-id\b/g, "refusals that name the field confrId"],
    ],
    files: {},
    breaches: ["readonly ConfrStream[]", "onConfrEnd()", ".confr-tile {"],
  },
];

const isAllowed = (file: string, { among, files: allowed }: Narrow): boolean =>
  among?.test(file) === false || Object.keys(allowed).some((path) => file.startsWith(path));
const breaks = (line: string, { word, spellings }: Narrow): boolean =>
  word.test(spellings.reduce((rest, [spelling]) => rest.replaceAll(spelling, ""), line));

describe("The vocabulary", () => {
  it("finds the sources", () => {
    expect(sources.length).toBeGreaterThan(500);
  });

  it.each(GIVEN_UP)("does not use %s, but says %s", (word) => {
    expect(linesWith(word, sources)).toEqual([]);
  });

  it.each(NARROW)("uses $word for its own thing alone, and says $instead", (narrow) => {
    const found = [...sources, ...styles]
      .filter((file) => !isAllowed(file, narrow))
      .flatMap((file) =>
        [`${file}:1: ${file}`, ...linesWith(narrow.word, [file])].filter((line) =>
          breaks(line.replace(/^\S+:\d+: /, ""), narrow),
        ),
      );
    expect(found).toEqual([]);
    for (const breach of narrow.breaches) expect(breaks(breach, narrow), breach).toBe(true);
  });

  it("keeps no exception of a word that nothing needs", () => {
    for (const narrow of NARROW) {
      const lines = linesWith(narrow.word, [...sources, ...styles]);
      const needless = [
        ...narrow.spellings.filter(([one]) => !lines.some((line) => line.search(one) >= 0)),
        ...Object.keys(narrow.files).filter((path) => !lines.some((line) => line.startsWith(path))),
      ];
      expect(needless).toEqual([]);
    }
  });

  it("has no names that must be learnt", () => {
    const inSrc = sources.filter((file) => file.startsWith("src/"));
    const isCode = (line: string): boolean => !/^\S+ (?:\*|\/\*|\/\/|it\()|: \["/.test(line);
    expect(linesWith(UNCLEAR, inSrc).filter(isCode)).toEqual([]);
    for (const breach of ["const tell = (", "  take(key) {", "function told(", "const of = "]) {
      expect(UNCLEAR.test(breach)).toBe(true);
    }
  });

  it("names test doubles *.fake.ts and what sets up tests *.harness.ts", () => {
    const old = /(test-support|testkit|\/testing|\/fakes)\.tsx?$/;
    expect(files.filter((file) => file.startsWith("src/") && old.test(file))).toEqual([]);
  });

  it("keeps src independent of tests/", () => {
    const inSrc = sources.filter((file) => file.startsWith("src/"));
    expect(linesWith(/from "(\.\.\/)+tests\//, inSrc)).toEqual([]);
  });

  it("uses confr as a prefix of files on the wire only", () => {
    const allowed = /^(src\/shared\/protocol\/|tests\/)/;
    const named = sources.filter((file) => /(^|\/)confr[-.]/.test(file) && !allowed.test(file));
    expect(named).toEqual([]);
  });
});
