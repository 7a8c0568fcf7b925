import { expect, it } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import { initialSlices } from "../../../shared/protocol/initial-state.ts";
import { createFakeEnv, settle } from "../core.fake.ts";
import type { OwnerCommand } from "../media-owner/contracts.ts";
import { createStore } from "../store/index.ts";
import { createCloud } from "./cloud.ts";
import type { ConferenceRecord, KeptConference } from "./kept.ts";

/** A core in which the group call 100 goes on. */
function opened(engine: "native" | "agora") {
  const env = createFakeEnv();
  const config = { ...env.config, engine, agora: engine === "agora" ? { appId: "app" } : null };
  const store = createStore({
    clock: env.clock,
    epoch: "e",
    newId: env.newId,
    slices: initialSlices({ coreId: "c", build: "b", now: 0 }),
  });
  const info = { callId: "k", media: "video", groupId: null, fromUser: "ann", fromName: "Ann" };
  store.set(["groupCall"], {
    ...store.get("groupCall"),
    status: "entering",
    info: { ...info, channel: "100" },
  });
  const asked: unknown[] = [];
  const server: { refuses: AppError | null } = { refuses: null };
  let kept: Partial<KeptConference> | null = { me: "ann" };
  const record = {
    get now() {
      return kept;
    },
    patch: (part: Partial<KeptConference>) => void (kept = { ...kept, ...part }),
  } as ConferenceRecord;
  const cloud = createCloud({
    env: { ...env, config },
    store,
    record,
    http: {
      async provider({ query }) {
        asked.push(query?.["channelName"]);
        if (server.refuses !== null) throw server.refuses;
        const accessToken = `t${asked.length}`;
        return { code: "RES_0K", accessToken, expireTime: 1, agoraUserId: 7 } as never;
      },
    },
  });
  const sent: OwnerCommand[] = [];
  return {
    env,
    cloud,
    asked,
    server,
    sent,
    record,
    end: () => void (kept = null),
    expiring: () => cloud.expiring((command) => sent.push(command)),
  };
}

it("The cloud carries group calls of the engine agora, and no other conference", async () => {
  const { cloud, asked, record } = opened("agora");
  const access = { appId: "app", channel: "100", token: "t1", uid: 7 };
  expect(await cloud.admit("ann", "100")).toEqual(access);
  expect(await cloud.admit("ann", "200")).toBeNull();
  expect(await opened("native").cloud.admit("ann", "100")).toBeNull();
  expect(asked).toEqual(["100"]);
  expect(cloud.engine()).toEqual({ kind: "conference" });
  record.patch({ cloud: access });
  expect(cloud.engine()).toEqual({ kind: "conference", cloud: access });
});

it("The owner tab and the next core get another token before the end, also when the service fails at first", async () => {
  const { env, cloud, record, sent, server, expiring, asked } = opened("agora");
  record.patch({ cloud: (await cloud.admit("ann", "100"))! });
  server.refuses = new AppError("server.unavailable");
  expiring();
  expiring();
  await settle();
  expect(sent).toEqual([]);
  expect(asked).toHaveLength(2);
  server.refuses = null;
  env.clock.advance(5000);
  await settle();
  expect(sent).toEqual([{ t: "token", token: "t3" }]);
  expect(record.now?.cloud?.token).toBe("t3");
});

it("No token is asked for a call that is over", async () => {
  const { env, cloud, record, server, expiring, asked, end, sent } = opened("agora");
  record.patch({ cloud: (await cloud.admit("ann", "100"))! });
  server.refuses = new AppError("server.unavailable");
  expiring();
  await settle();
  end();
  server.refuses = null;
  env.clock.advance(20_000);
  await settle();
  expect(asked).toHaveLength(2);
  expect(sent).toEqual([]);
});
