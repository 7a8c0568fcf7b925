import { expect, test } from "vitest";
import { errorOfAnswer } from "../http/transport.ts";
import { codeOf, setUp } from "./session.harness.ts";

function setUpLocked(kit = setUp()) {
  const { context } = kit;
  return {
    ...kit,
    lock: () => kit.sessionModule.handlers.lock({}, context),
    unlock: (password: string) => kit.sessionModule.handlers.unlock({ password }, context),
  };
}

test("A lock ends by the right password alone, and not while the server is silent", async () => {
  const { login, loadInfo, lock, unlock, slice, platform, changes } = setUpLocked();
  await lock();
  expect(slice().locked).toBe(false);
  await login();
  await loadInfo();
  const before = changes();
  await lock();
  expect([slice().locked, changes() - before]).toEqual([true, 1]);
  // What is loaded meanwhile does not open it.
  await loadInfo();
  expect(await codeOf(unlock("bad"))).toBe("auth.invalid-credentials");
  platform.state.instead.set("profile.unlock", () => {
    throw errorOfAnswer("profile.unlock", 503, {});
  });
  expect(await codeOf(unlock("good"))).not.toBe("ok");
  expect(slice().locked).toBe(true);
  platform.state.instead.clear();
  expect(await codeOf(unlock("good"))).toBe("ok");
  expect(slice()).toMatchObject({ locked: false, infoLoaded: true, accountId: "a1" });
});

test("The next core is locked from its first state on, also without the user info, and another build's core follows", async () => {
  const first = setUpLocked();
  await first.login();
  await first.loadInfo();
  const beside = setUp(first.env, first.platform);
  await beside.sessionModule.restore();
  expect(beside.slice().locked).toBe(false);
  await first.lock();
  await beside.sessionModule.reread();
  expect(beside.slice().locked).toBe(true);

  const next = setUpLocked(setUp(first.env, first.platform));
  await next.sessionModule.restore();
  expect(next.slice()).toMatchObject({ status: "authenticated", locked: true });
  await first.env.kv.del("session.info");
  const bare = setUp(first.env, first.platform);
  await bare.sessionModule.restore();
  expect(bare.slice()).toMatchObject({ infoLoaded: false, locked: true });

  await next.unlock("good");
  await first.sessionModule.reread();
  expect(first.slice().locked).toBe(false);
});

test("A logout ends the lock, and the next login is not locked; a refused token leaves it", async () => {
  const { login, loadInfo, lock, slice, sessionModule, context, env, platform } = setUpLocked();
  await login();
  await loadInfo();
  await lock();
  await sessionModule.handlers.logout({}, context);
  expect(slice()).toMatchObject({ status: "anonymous", locked: false });
  await login();
  await loadInfo();
  expect(slice().locked).toBe(false);

  await lock();
  platform.expire();
  platform.state.refusesRefresh = true;
  expect(await codeOf(sessionModule.handlers.unlock({ password: "good" }, context))).not.toBe("ok");
  await sessionModule.reread();
  expect(slice()).toMatchObject({ status: "authenticated", locked: true });
  expect(slice().expired).not.toBeNull();
  await sessionModule.handlers.answerExpired({ again: true }, context);
  expect(slice()).toMatchObject({ status: "anonymous", locked: false });
  expect(env.kv.data.has("session.locked")).toBe(false);
});
