/**
 * A second build for tests of deployments, made of the one in `dist`: each hash in the name of an asset is written backwards, everywhere,
 * and the build has another id. So no script, style or worker of one build has a name of the other.
 */
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { presentAssets, readLists } from "../../scripts/lib/keep-builds.ts";

const DIST = join(import.meta.dirname, "../../dist");
const HASHED = /-([\w-]{8})(?=\.\w+)/g;
const TEXT = /\.(js|css|json|html)$/;

const backwards = (hash: string): string => [...hash].toReversed().join("");

export interface NextBuild {
  /** Whether the path is an asset of the first build. */
  isOld(path: string): boolean;
  /** Whether the second build answers for the path: its assets, pages, and the files that name the build. */
  has(path: string, accept: string): boolean;
  answer(
    platform: string,
    path: string,
    headers: IncomingHttpHeaders,
  ): Promise<{ status: number; headers: Record<string, string>; body: Buffer }>;
}

export function createNextBuild(build: string): NextBuild {
  const own = readLists(DIST)[0]?.build;
  if (own === undefined) throw new Error("dist has no list of its assets; build the console first");
  const hashes = new Set(
    presentAssets(DIST).flatMap((name) => [...name.matchAll(HASHED)].map(([, hash]) => hash ?? "")),
  );
  const hashIn = (path: string): string => [...path.matchAll(HASHED)].at(-1)?.[1] ?? "";
  const isAsset = (path: string): boolean => path.startsWith("/assets/");
  const isOld = (path: string): boolean => isAsset(path) && hashes.has(hashIn(path));
  const renamed = (text: string): string =>
    text
      .replaceAll(HASHED, (whole, hash: string) =>
        hashes.has(hash) ? `-${backwards(hash)}` : whole,
      )
      .replaceAll(own, build);
  return {
    isOld,
    has: (path, accept) =>
      (isAsset(path) && hashes.has(backwards(hashIn(path)))) ||
      ["/build.json", "/service-worker.js", "/index.html", "/"].includes(path) ||
      (accept.includes("text/html") && !/\.\w+$/.test(path.split("?")[0] ?? "")),
    async answer(platform, path, { accept = "" }) {
      const at = isAsset(path)
        ? path.replace(HASHED, (whole, hash: string) =>
            hashes.has(backwards(hash)) ? `-${backwards(hash)}` : whole,
          )
        : path;
      const reply = await fetch(platform + at, { headers: { accept } });
      const content = Buffer.from(await reply.arrayBuffer());
      const isText = !isAsset(path) || TEXT.test(at);
      const { etag: _, ...headers } = Object.fromEntries(reply.headers);
      delete headers["content-encoding"];
      delete headers["content-length"];
      delete headers["transfer-encoding"];
      return {
        status: reply.status,
        headers,
        body: isText ? Buffer.from(renamed(content.toString("utf8"))) : content,
      };
    },
  };
}
