/**
 * Pictures of people, once for all tabs (docs/session.md#avatars). Who shows a person knows the chat user name; the names of the
 * pictures are asked for together. A name stands for one picture for ever, so pictures are kept.
 */
import { AppError } from "../../../shared/errors.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import {
  AVATAR_NAMES,
  avatarNamesCall,
  avatarReadCall,
  avatarRemoveCall,
  avatarSetCall,
} from "../../../shared/protocol/rest/avatars.ts";
import type { CoreEnv, FileHttp, Http, Session, Timer } from "../contracts.ts";

/** ms in which requests for names are collected, and for which a name counts. */
const COLLECT = 20;
const FRESH = 60_000;
/** Most pictures and most names that are kept. */
const PICTURES = 300;
const NAMES = 2_000;

interface Asked {
  readonly at: number;
  readonly name: Promise<string | null>;
}

/** Keeps the newest of a map's entries. */
function keep<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= most) return;
  const oldest = map.keys().next();
  if (oldest.done !== true) map.delete(oldest.value);
}

export function createAvatars(deps: {
  readonly http: Pick<Http, "call"> & Pick<FileHttp, "file">;
  readonly clock: CoreEnv["clock"];
  readonly session: Pick<Session, "onUser">;
}): { readonly handlers: Pick<Handlers<"files">, "avatar" | "setAvatar">; stop(): void } {
  const { http, clock } = deps;
  const pictures = new Map<string, Promise<Blob | null>>();
  const names = new Map<string, Asked>();
  /** By name: all requests that wait for it. A name that was forgotten may be asked for again before the first request is sent. */
  let waiting = new Map<string, ((name: Promise<string | null>) => void)[]>();
  let timer: Timer | null = null;
  const forget = (): void => {
    pictures.clear();
    names.clear();
  };
  const unlisten = deps.session.onUser(forget);

  function send(): void {
    timer = null;
    const asked = [...waiting];
    waiting = new Map();
    for (let from = 0; from < asked.length; from += AVATAR_NAMES) {
      const part = asked.slice(from, from + AVATAR_NAMES);
      const userNames = part.map(([userName]) => userName).join(",");
      const answer = http.call(avatarNamesCall, { query: { userNames } });
      for (const [userName, resolvers] of part) {
        const name = answer.then(
          (found) => found.find((one) => one.userName === userName)?.avatar ?? null,
          (error: unknown) => {
            names.delete(userName);
            throw error;
          },
        );
        for (const resolve of resolvers) resolve(name);
      }
    }
  }

  function nameOf(userName: string): Promise<string | null> {
    const known = names.get(userName);
    if (known !== undefined && clock.now() - known.at < FRESH) return known.name;
    const name = new Promise<string | null>((resolve) => {
      waiting.set(userName, [...(waiting.get(userName) ?? []), resolve]);
    });
    keep(names, userName, { at: clock.now(), name }, NAMES);
    timer ??= clock.after(COLLECT, send);
    return name;
  }

  function picture(name: string): Promise<Blob | null> {
    const known = pictures.get(name);
    if (known !== undefined) return known;
    const asked = http.file(avatarReadCall, { query: { name } }).catch((error: unknown) => {
      const { code } = AppError.from(error);
      if (code !== "request.not-found") pictures.delete(name);
      // Somebody took the picture away, or is no colleague any more.
      if (code === "request.not-found") return null;
      throw error;
    });
    keep(pictures, name, asked, PICTURES);
    return asked;
  }

  return {
    handlers: {
      async avatar(who) {
        const name = "name" in who ? who.name : await nameOf(who.userName);
        return name === null ? null : picture(name);
      },
      async setAvatar({ picture: blob }) {
        if (blob === null) await http.call(avatarRemoveCall);
        else {
          const form = new FormData();
          form.append("file", blob, blob.type === "image/png" ? "avatar.png" : "avatar.jpg");
          await http.call(avatarSetCall, {}, { form });
        }
        names.clear();
        return null;
      },
    },
    stop() {
      unlisten();
      timer?.cancel();
    },
  };
}
