/**
 * Vite plugin: writes a brotli and a gzip copy beside every file of the build that compresses well, so that the server sends
 * the smallest one without spending time on it per request (src/server/base/http/static.ts). Assets that stay of earlier builds
 * (keep-builds.ts) have theirs. Most of the time of a build is brotli: a quick build (QUICK_BUILD=1) has gzip copies alone, which are a
 * sixth larger.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const COMPRESSIBLE = new Set([".js", ".css", ".svg", ".json", ".wasm", ".txt", ".webmanifest"]);
/** Bytes. Of a smaller file the headers are the larger part of the answer. The frame alone has two dozen chunks between this and 1 kB. */
const SMALLEST = 256;

/** Bytes. For larger files the best quality takes seconds and saves only 8 %. */
const LARGE = 512 * 1024;
const LARGE_QUALITY = 9;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

const small = (content: Buffer): Promise<Buffer> =>
  brotli(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]:
        content.length > LARGE ? LARGE_QUALITY : constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });

/** Compresses one file; a copy that saves less than a tenth is not written. */
async function compress(path: string, quick: boolean): Promise<void> {
  const content = await readFile(path);
  if (content.length < SMALLEST) return;
  const write = async (suffix: string, packed: Buffer): Promise<void> => {
    if (packed.length < content.length * 0.9) await writeFile(path + suffix, packed);
  };
  await write(".gz", await gzipped(content, { level: quick ? 6 : 9 }));
  if (!quick) await write(".br", await small(content));
}

/** @param quick writes gzip copies alone */
export function compressBuild(quick: boolean): Plugin {
  let folder = "";
  let written: ReadonlySet<string> = new Set();
  return {
    name: "compress-build",
    apply: "build",
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    writeBundle(_options, bundle) {
      written = new Set(Object.keys(bundle).map((name) => join(folder, name)));
    },
    closeBundle: {
      order: "post",
      sequential: true,
      async handler() {
        const entries = await readdir(folder, { recursive: true, withFileTypes: true });
        const files = entries
          .filter((entry) => entry.isFile() && COMPRESSIBLE.has(extname(entry.name)))
          .map((entry) => join(entry.parentPath, entry.name))
          // those beside index.html that come from the public folder are no part of the bundle
          .filter((path) => written.has(path) || dirname(path) === folder);
        await Promise.all(files.map((path) => compress(path, quick)));
      },
    },
  };
}
