/** What fails has the specification's number and type (docs/conferences.md#failures). */
import { expect } from "vitest";
import { AppError } from "../../shared/errors.ts";
import { rowChecks } from "../../shared/row-checks.harness.ts";
import { stream } from "../../shared/protocol/stream.harness.ts";
import { faceWorld } from "./face.harness.ts";

type World = ReturnType<typeof faceWorld>;
/** @returns number and type of what is thrown */
const failureOf = async (work: Promise<unknown>): Promise<unknown> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const { details = {} } = error as AppError;
  return [details["error"], details["errorType"]];
};
const refuse = (world: World, command: string, error = new AppError("conference.refused")): void =>
  void world.answers.set(command, error);
const inside = (): World => {
  const world = faceWorld();
  world.inside({
    streams: { s1: stream("s1", "m1", { located: true }), s2: stream("s2", "m2") },
  });
  return world;
};

export const checks = rowChecks({
  "failure.join: Entering that fails is join_fail, -200": async () => {
    const world = faceWorld();
    await world.face.setIdentity("zw", "token");
    for (const command of ["create", "join", "joinRoom"]) refuse(world, command);
    const wanted = { roomName: "r", password: "p", role: 3 } as const;
    for (const work of [
      world.face.createConference(),
      world.face.joinConference("c1"),
      world.face.joinRoom(wanted),
    ]) {
      expect(await failureOf(work)).toEqual([-200, "join_fail"]);
    }
  },

  "failure.devices: Devices that do not open are open_user_media_fail, -201": async () => {
    const world = faceWorld();
    world.inside();
    expect(await failureOf(world.face.openUserMedia())).toEqual([-201, "open_user_media_fail"]);
    const details = { text: "pubS null or stream not open" };
    refuse(world, "publish", new AppError("conference.invalid", { details }));
    expect(await failureOf(world.face.publish())).toEqual([-201, "open_user_media_fail"]);
  },

  "failure.push, failure.sub: A stream that cannot be published is push_fail, one that cannot be had sub_fail, -203":
    async () => {
      const world = inside();
      refuse(world, "subscribe");
      expect(await failureOf(world.face.subscribe(null, "s2"))).toEqual([-203, "sub_fail"]);
      world.inside({ streams: {} });
      refuse(world, "publish");
      expect(await failureOf(world.face.publish())).toEqual([-203, "push_fail"]);
      expect(await failureOf(world.face.shareDesktop({ confrId: "c1" }))).toEqual([
        -203,
        "push_fail",
      ]);
    },

  "failure.off: Picture and sound that cannot be turned are voff_fail and aoff_fail, -203":
    async () => {
      const world = inside();
      refuse(world, "setLocal");
      const { face } = world;
      for (const work of [face.pauseVideo("s1"), face.resumeVideo("s1")])
        expect(await failureOf(work)).toEqual([-203, "voff_fail"]);
      for (const work of [face.pauseAudio("s1"), face.resumeAudio("s1")])
        expect(await failureOf(work)).toEqual([-203, "aoff_fail"]);
    },

  "failure.constraints: Constraints that the device cannot meet are ChanageVideoConstraints_fail":
    async () => {
      const world = inside();
      world.refuseConstraints();
      const work = world.face.changeConstraints("video", { width: 1 });
      expect(await failureOf(work)).toEqual([-203, "ChanageVideoConstraints_fail"]);
    },

  "failure.camera: A camera that cannot be switched is switch_camera_fail": async () => {
    const world = inside();
    world.setDevices([
      { deviceId: "a", label: "", current: true },
      { deviceId: "b", label: "", current: false },
    ] as never);
    world.refuseDevices();
    expect(await failureOf(world.face.changeCamera())).toEqual([-203, "switch_camera_fail"]);
    expect(await failureOf(world.face.switchMobileCamera())).toEqual([-203, "switch_camera_fail"]);
  },

  "failure.server: What REST refuses keeps the server's number, and HTTP its status": async () => {
    const world = inside();
    const refused = new AppError("conference.refused", {
      message: "zh",
      details: { tag: "server_refuse", error: -405 },
    });
    refuse(world, "setAttrs", refused);
    const attrs = () => world.face.setConferenceAttrs({ key: "k", val: "v" });
    expect(await failureOf(attrs())).toEqual([-405, "server_refuse"]);
    refuse(world, "setAttrs", new AppError("server.internal", { details: { status: 502 } }));
    expect(await failureOf(attrs())).toEqual([502, "http_error"]);
    // What has no number there is the core's own.
    const plain = new AppError("network.timeout");
    refuse(world, "setAttrs", plain);
    await expect(attrs()).rejects.toBe(plain);
  },
});
