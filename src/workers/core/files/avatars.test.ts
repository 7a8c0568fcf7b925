import { expect, it } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import { avatarNamesCall } from "../../../shared/protocol/rest/avatars.ts";
import { createFakeClock, settle } from "../core.fake.ts";
import { createAvatars } from "./avatars.ts";

const nameOf = (letter: string): string => `${letter.repeat(22)}.jpg`;

function setUp() {
  const clock = createFakeClock();
  const asked: string[] = [];
  const read: string[] = [];
  let known: Record<string, string> = { lina: nameOf("l"), wangfang: nameOf("w") };
  let fails: AppError | null = null;
  let forget = (): void => undefined;
  const avatars = createAvatars({
    clock,
    http: {
      call: ((call: { id: string }, input?: { query: { userNames: string } }) => {
        if (call.id !== avatarNamesCall.id) return Promise.resolve(null);
        const { userNames } = input!.query;
        asked.push(userNames);
        if (fails !== null) return Promise.reject(fails);
        return Promise.resolve(
          Object.entries(known)
            .filter(([userName]) => userNames.split(",").includes(userName))
            .map(([userName, avatar]) => ({ userName, avatar })),
        );
      }) as never,
      file: (_call, input) => {
        const { name } = input.query as { name: string };
        read.push(name);
        return fails === null ? Promise.resolve(new Blob([name])) : Promise.reject(fails);
      },
    },
    session: { onUser: (handler) => ((forget = () => handler(null)), () => undefined) },
  });
  const tab = { tabId: "t", id: "1" };
  return {
    ...avatars,
    clock,
    asked,
    read,
    avatarOf: (userName: string) => avatars.handlers.avatar({ userName }, tab),
    named: (name: string) => avatars.handlers.avatar({ name }, tab),
    set: () => avatars.handlers.setAvatar({ picture: null }, tab),
    know: (people: Record<string, string>) => (known = people),
    fail: (error: AppError | null) => (fails = error),
    forget: () => forget(),
  };
}

it("The names of people shown together are asked for in one request, and each picture is read once", async () => {
  const { avatarOf, named, clock, asked, read } = setUp();
  const shown = Promise.all([
    avatarOf("lina"),
    avatarOf("wangfang"),
    avatarOf("guest"),
    avatarOf("lina"),
  ]);
  clock.advance(20);
  const found = await shown;
  expect(await Promise.all(found.map((blob) => blob?.text() ?? null))).toEqual([
    nameOf("l"),
    nameOf("w"),
    null,
    nameOf("l"),
  ]);
  await named(nameOf("l"));
  expect(asked).toEqual(["lina,wangfang,guest"]);
  expect(read).toEqual([nameOf("l"), nameOf("w")]);
});

it("A hundred and one people are two requests", async () => {
  const { avatarOf, clock, asked } = setUp();
  const shown = Promise.all(Array.from({ length: 101 }, (_, n) => avatarOf(`u${n}`)));
  clock.advance(20);
  await shown;
  expect(asked.map((names) => names.split(",").length)).toEqual([100, 1]);
});

it("A new picture of somebody is found a minute later, the own one at once", async () => {
  const { avatarOf, set, clock, asked, know } = setUp();
  const text = async (): Promise<string | undefined> => {
    const blob = avatarOf("lina");
    clock.advance(20);
    return (await blob)?.text();
  };
  expect(await text()).toBe(nameOf("l"));
  know({ lina: nameOf("n") });
  expect(await text()).toBe(nameOf("l"));
  clock.advance(60_000);
  expect(await text()).toBe(nameOf("n"));
  know({ lina: nameOf("o") });
  await set();
  expect(await text()).toBe(nameOf("o"));
  expect(asked).toHaveLength(3);
});

it("A picture that was taken away is none; one that could not be read is read again; another person starts with nothing", async () => {
  const { named, fail, forget, read } = setUp();
  fail(new AppError("network.offline"));
  await expect(named(nameOf("l"))).rejects.toThrow();
  fail(null);
  expect(await named(nameOf("l"))).not.toBeNull();
  fail(new AppError("request.not-found"));
  expect(await named(nameOf("x"))).toBeNull();
  forget();
  await settle();
  expect(await named(nameOf("l"))).toBeNull();
  expect(read).toHaveLength(4);
});

it("A person who is asked for again before the first request was sent is answered both times", async () => {
  const { avatarOf, forget, clock, asked } = setUp();
  const before = avatarOf("lina");
  forget();
  const after = avatarOf("lina");
  clock.advance(20);
  const found = await Promise.all([before, after]);
  expect(await Promise.all(found.map((blob) => blob?.text()))).toEqual([nameOf("l"), nameOf("l")]);
  expect(asked).toEqual(["lina"]);
});
