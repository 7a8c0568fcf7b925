/** Control of a shared screen between this project's library and the unmodified package, each as the controller and as the controlled side. */
import { expect, test } from "./fixtures.ts";
import type { Client } from "./client.ts";

interface SdkControlled {
  accept(mouse: object, keyboard: object): void;
  reject(): void;
}
interface SdkControl {
  onHasRemoteControl: (
    stream: { readonly id: string },
    controller: { readonly memName: string },
    request: SdkControlled,
  ) => void;
  onRemoteFreeControl: (stream: object, controller: object) => void;
  remoteControl(...given: readonly unknown[]): void;
  freeRemoteControl(stream: string, confrId: string): void;
}
declare global {
  var executedActions: object[];
}

/** What happened to the clients: nobody is thrown out, and no frame is not understood. */
async function expectInside(clients: readonly Client[]): Promise<void> {
  for (const client of clients) expect(await client.events("exit")).toEqual([]);
}

async function sharing(controlled: Client, controller: Client) {
  const confrId = await controlled.act("create", {});
  await controlled.publish();
  await controller.join(confrId);
  await controller.publish();
  const streamId = (await controlled.act("share"))!;
  await controller.expectMedia(controlled.name, { type: 1, audio: false, moves: false });
  return { confrId, streamId };
}

test("The package controls a screen of the library: mouse and keys arrive in order, and both sides end it", async ({
  sdk,
}) => {
  const library = await sdk("lina", { client: "library" });
  const ops = await sdk("ops", { client: "package" });
  await library.page.evaluate(() => {
    globalThis.executedActions = [];
    conferenceClient.setControlExecutor({
      input: (actions) => void executedActions.push(...actions),
      end: () => driverBase.log("executor ended"),
    });
    conferenceClient.on("onRemoteControl", (_stream, controller, accept) => {
      driverBase.log("asked", controller.memName);
      void accept();
    });
    conferenceClient.on("onFreeControl", (_stream, _controller, freed) =>
      driverBase.log("freed", freed),
    );
  });
  const { confrId, streamId } = await sharing(library, ops);
  const ask = (): Promise<void> =>
    ops.page.evaluate(
      ([id, stream]) => {
        const video = [...document.querySelectorAll("video")].find(
          ({ videoWidth }) => videoWidth > 640,
        )!;
        Object.assign(video.style, { position: "fixed", left: "0", top: "0", width: "400px" });
        const mgr = emedia.mgr as unknown as SdkControl;
        const say = (name: string) => (): void => driverBase.log(name);
        // The package finds its callbacks by their names.
        const onDisControlled = () => say("ended")();
        const onAccept = () => say("accepted")();
        const onNotAllowRemoteControl = () => say("not allowed")();
        const onRemoteControlTimeout = () => say("timeout")();
        const onReject = () => say("rejected")();
        const onBusy = () => say("busy")();
        mgr.remoteControl(
          stream,
          video,
          video,
          false,
          onDisControlled,
          onAccept,
          onNotAllowRemoteControl,
          onRemoteControlTimeout,
          onReject,
          onBusy,
          id,
        );
      },
      [confrId, streamId] as const,
    );
  await ask();
  await library.expectEvent("asked", "ops");
  await ops.expectEvent("accepted");
  await ops.page.mouse.move(100, 50);
  for (let x = 100; x < 200; x += 2) await ops.page.mouse.move(x, 60);
  await ops.page.mouse.down();
  await ops.page.mouse.up();
  await ops.page.keyboard.press("a");
  const executed = () =>
    library.page.evaluate(() => executedActions as { oper: number; sn: number; btn: number }[]);
  await expect.poll(async () => (await executed()).map(({ oper }) => oper)).toContain(4);
  const all = await executed();
  expect(all.length).toBeGreaterThan(10);
  expect(all.map(({ sn }) => sn)).toEqual(all.map(({ sn }) => sn).toSorted((a, b) => a - b));
  const kinds = all.map(({ oper, btn }) => [oper, btn] as const);
  for (const kind of [
    [1, 1],
    [0, 1],
    [3, 65],
    [4, 65],
  ])
    expect(kinds).toContainEqual(kind);

  await ops.page.evaluate(
    ([id, stream]) => (emedia.mgr as unknown as SdkControl).freeRemoteControl(stream, id),
    [confrId, streamId] as const,
  );
  await library.expectEvent("executor ended");
  await expect.poll(async () => (await library.events("freed")).length).toBe(1);
  const [freed] = (await library.events("freed")) as { why: string; counts: { late: number } }[];
  expect(freed).toMatchObject({ why: "released", counts: { late: 0, bad: 0 } });

  // The controlled side stops: the package learns it from its next input.
  await ask();
  await expect.poll(async () => (await ops.events("accepted")).length).toBe(2);
  await library.page.evaluate(() => conferenceClient.stopRemoteControl());
  await expect.poll(async () => (await library.events("freed")).length).toBe(2);
  await ops.page.mouse.move(120, 80);
  await ops.page.mouse.move(140, 80);
  await ops.expectEvent("not allowed");
  await expectInside([library, ops]);
  await ops.expectMedia("lina");
});

test("The library controls a screen of the package, which executes and ends it", async ({
  sdk,
}) => {
  const lina = await sdk("lina", { client: "package" });
  const library = await sdk("ops", { client: "library" });
  await lina.page.evaluate(() => {
    globalThis.executedActions = [];
    const mgr = emedia.mgr as unknown as SdkControl;
    mgr.onHasRemoteControl = (_stream, controller, request) => {
      driverBase.log("asked", controller.memName);
      if (globalThis.executedActions.length > 0) return request.reject();
      request.accept(
        {
          track: (xy: object) => void executedActions.push({ move: xy }),
          trigger: (one: { oper: number; btn: number }) =>
            void executedActions.push({ oper: one.oper, btn: one.btn }),
        },
        {
          onKeyDown: (btn: number) => void executedActions.push({ key: btn }),
          onKeyUp: (btn: number) => void executedActions.push({ keyUp: btn }),
        },
      );
    };
    mgr.onRemoteFreeControl = () => driverBase.log("freed");
  });
  const { streamId } = await sharing(lina, library);
  const ask = (): Promise<void> =>
    library.page.evaluate((stream) => {
      const say = (name: string) => (): void => driverBase.log(name);
      return conferenceClient.remoteControl(stream, {
        onAccept: say("accepted"),
        onReject: say("rejected"),
        onDisControlled: (_stream, why) => driverBase.log("ended", why),
      });
    }, streamId);
  await ask();
  await lina.expectEvent("asked", "ops");
  await library.expectEvent("accepted");
  await library.page.evaluate(
    (stream) =>
      conferenceClient.triggerRemoteControl(stream, [
        { oper: 2, btn: 0, x: 2500, y: 7500 },
        { oper: 1, btn: 1, x: 2500, y: 7500 },
        { oper: 0, btn: 1, x: 2500, y: 7500 },
        { oper: 3, btn: 65, key: "a", code: "KeyA" },
        { oper: 4, btn: 65, key: "a", code: "KeyA" },
      ]),
    streamId,
  );
  await expect
    .poll(() => lina.page.evaluate(() => executedActions))
    .toEqual([
      { move: { x: 0.25, y: 0.75 } },
      { oper: 1, btn: 1 },
      { oper: 0, btn: 1 },
      { key: 65 },
      { keyUp: 65 },
    ]);
  await library.page.evaluate((stream) => conferenceClient.freeRemoteControl(stream), streamId);
  await lina.expectEvent("freed");
  await library.expectEvent("ended", "released");
  await ask();
  await library.expectEvent("rejected");
  await expectInside([lina, library]);
  await library.expectMedia("lina");
});
