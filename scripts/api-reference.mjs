/**
 * Generates the API reference of the conferencing library from the docstrings of its interfaces: dist-lib/API.md.
 *   node scripts/api-reference.mjs [folder]
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const face = "src/conference-lib/face";
const out = process.argv[2] ?? join(root, "dist-lib");

/** The documented interfaces, in this order. */
const CHAPTERS = [
  {
    title: "Creating a client",
    file: "src/conference-lib/index.ts",
    names: ["ConferenceClientOptions"],
  },
  { title: "Settings", file: "src/conference-lib/settings.ts", names: ["ConferenceSettings"] },
  { title: "Joining and leaving", file: `${face}/joining.ts`, names: ["JoiningApi"] },
  { title: "Streams and elements", file: `${face}/streaming.ts`, names: ["StreamingApi"] },
  { title: "Tracks and sound", file: `${face}/tracks.ts`, names: ["TracksApi"] },
  {
    title: "Recording, pictures, sound",
    file: `${face}/recording.ts`,
    names: ["RecordingApi", "TransmissionHelper"],
  },
  {
    title: "Roles, mute, attributes, messages",
    file: `${face}/managing.ts`,
    names: ["ManagingApi"],
  },
  {
    title: "Control of a shared screen",
    file: `${face}/remote-control.ts`,
    names: ["RemoteControlApi", "RemoteControlOptions"],
  },
  {
    title: "Another member's camera",
    file: `${face}/remote-camera.ts`,
    names: ["RemoteCameraApi", "RemoteCameraDetail"],
  },
  {
    title: "Annotations",
    file: `${face}/annotations.ts`,
    names: ["AnnotatingApi", "GraffitiOptions", "Graffiti"],
  },
  { title: "State and handlers", file: `${face}/client.ts`, names: ["ClientApi"] },
  { title: "Typed events", file: `${face}/typed-events.ts`, names: ["TypedEvents"] },
  {
    title: "Events",
    file: `${face}/contracts.ts`,
    names: ["ConferenceEvents", "RemoteControlEvents"],
  },
  {
    title: "Data",
    file: `${face}/contracts.ts`,
    names: ["Identity", "Member", "Stream", "ConfrAttr", "TextMessage", "Applicant", "Annotated"],
  },
  { title: "Options", file: `${face}/joining.ts`, names: ["ConferenceLimits"] },
  {
    title: "What is published",
    file: `${face}/publishing.ts`,
    names: ["PublishOptions", "SendOptions"],
  },
  { title: "Sharing a desktop", file: `${face}/streaming.ts`, names: ["DesktopOptions"] },
  { title: "Elements", file: `${face}/tags.ts`, names: ["MediaChanged"] },
];

/** The text of a docstring without its comment marks; each tag gets its own line. */
export function textOf(comment) {
  return comment
    .replace(/^\/\*\*|\*\/$/g, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\*? ?/, "").trimEnd())
    .join("\n")
    .trim()
    .replace(/^@param (\S+) /gm, "- `$1`: ")
    .replace(/(^|\s)@returns /g, "$1\nReturns ")
    .replace(/(^|\s)@throws /g, "$1\nThrows ")
    .trim();
}

/**
 * Reads an interface and its docstrings from a source file.
 *
 * @param {string} source text of the file
 * @param {string} name of an interface
 * @returns {{ doc: string, members: { signature: string, doc: string }[] } | null}
 */
export function readInterface(source, name) {
  const start = new RegExp(
    `(/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?export interface ${name}\\b[^{]*\\{`,
  ).exec(source);
  if (start === null) return null;
  const from = start.index + start[0].length;
  let depth = 1;
  let end = from;
  for (; depth > 0 && end < source.length; end += 1) {
    if (source[end] === "{") depth += 1;
    if (source[end] === "}") depth -= 1;
  }
  const members = [];
  let doc = "";
  let signature = "";
  let open = 0;
  let comment = null;
  for (const line of source.slice(from, end - 1).split("\n")) {
    if (comment !== null || (open === 0 && signature === "" && /^\s*\/\*\*/.test(line))) {
      comment = comment === null ? line.trim() : `${comment}\n${line.trim()}`;
      if (line.includes("*/")) {
        doc = textOf(comment);
        comment = null;
      }
      continue;
    }
    if (line.trim() === "") continue;
    signature += `${signature === "" ? "" : "\n"}${line.replace(/^ {2}/, "")}`;
    open += (line.match(/[({[]/g) ?? []).length - (line.match(/[)}\]]/g) ?? []).length;
    if (open === 0 && line.trimEnd().endsWith(";")) {
      members.push({ signature: signature.replace(/^readonly /, ""), doc });
      doc = "";
      signature = "";
    }
  }
  return { doc: start[1] === undefined ? "" : textOf(start[1].trim()), members };
}

/** @returns the reference as Markdown. @throws Error when an interface of CHAPTERS is missing */
export function reference() {
  const lines = [
    "# Conferencing library",
    "",
    "```js",
    'import { createConferenceClient } from "./conference.js";',
    "",
    'const client = createConferenceClient({ appkey: "org#app" });',
    "await client.setIdentity(memName, token);",
    'client.on("onStreamAdded", (member, stream) => { … });',
    "const { confrId } = await client.createConference();",
    'await client.publish({}, document.querySelector("video"));',
    "```",
    "",
    "Serve `conference.js`, `conference-core.js` and `chunks/` from the page's own origin: the worker is shared by all tabs.",
    "A refused call rejects with an `AppError`: `code`, `message`, `retryable`, `details`.",
  ];
  const missing = [];
  for (const { title, file, names } of CHAPTERS) {
    const source = readFileSync(join(root, file), "utf8");
    lines.push("", `## ${title}`);
    for (const name of names) {
      const found = readInterface(source, name);
      if (found === null) {
        missing.push(`${file}: ${name}`);
        continue;
      }
      if (names.length > 1) lines.push("", `### ${name}`);
      if (found.doc !== "") lines.push("", found.doc);
      for (const { signature, doc } of found.members) {
        lines.push("", "```ts", signature, "```");
        if (doc !== "") lines.push("", doc);
      }
    }
  }
  if (missing.length > 0) throw new Error(`no such interface: ${missing.join(", ")}`);
  return `${lines.join("\n")}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, "API.md"), reference());
  console.log(`API reference: ${join(out, "API.md")}`);
}
