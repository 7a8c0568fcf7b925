/** The provider's REST calls about the files of a group (docs/chat.md#shared-files). */
import type { ReadableStream } from "node:stream/web";
import type { Context, Hono } from "hono";
import type { ChatFiles } from "../files/chat-files.ts";
import { announcedSize, sendFile } from "../rest/files-rest.ts";
import type { Env } from "../rest/provider-app.ts";
import { GROUP_PATH, type GroupCallParts } from "./rest-parts.ts";
import type { SharedFile, SharedFiles } from "./shared-files.ts";

/** Most files of a page, and pages. */
const PAGE = 200;
const PAGES = 1000;

const described = ({ id, name, owner, size, createdAt }: SharedFile) => ({
  file_id: id,
  file_name: name,
  file_owner: owner,
  file_size: size,
  created: createdAt.getTime(),
});

export function addGroupFiles(
  app: Hono<Env>,
  parts: Pick<GroupCallParts, "handle" | "actor" | "idOf" | "seen" | "done" | "answer"> & {
    readonly shared: SharedFiles;
    readonly blobs: ChatFiles["blobs"];
  },
): void {
  const { shared, blobs, handle, actor, idOf, seen, done, answer } = parts;
  const G = `${GROUP_PATH}/share_files`;
  const fileOf = (c: Context<Env>): string => c.req.param("file") ?? "";
  const number = (text: string | undefined, fallback: number, most: number): number => {
    const given = Number(text);
    return Number.isInteger(given) && given > 0 ? Math.min(given, most) : fallback;
  };

  app.get(
    G,
    handle(async (c) => {
      await seen(c, idOf(c));
      const size = number(c.req.query("pagesize"), 10, PAGE);
      const at = (number(c.req.query("pagenum"), 1, PAGES) - 1) * size;
      const page = await shared.list(idOf(c), at, size);
      return answer(c, { data: page.map(described) });
    }),
  );
  app.post(
    G,
    handle(async (c) => {
      const file = await shared.share(actor(c), idOf(c), {
        announced: announcedSize(c.req.header("content-length")),
        body: c.req.raw.body as ReadableStream | null,
        contentType: c.req.header("content-type") ?? "",
      });
      return answer(c, { data: { ...described(file), group_id: idOf(c) } });
    }),
  );
  app.get(
    `${G}/:file`,
    handle(async (c) => {
      await seen(c, idOf(c));
      return await sendFile(c, blobs, await shared.read(idOf(c), fileOf(c)));
    }),
  );
  app.delete(
    `${G}/:file`,
    handle(async (c) => {
      await shared.remove(actor(c), idOf(c), fileOf(c));
      return done(c, { group_id: idOf(c), file_id: fileOf(c) });
    }),
  );
}
