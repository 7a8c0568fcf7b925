/** A Janus from the system's package, started with its own configuration: WebSockets and VideoRoom only. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { freePort } from "../../scripts/lib/free-port.mjs";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";

export interface JanusProcess {
  readonly url: string;
  readonly secret: string;
  readonly pid: number;
  /** Sends SIGKILL. @returns when the process has exited */
  kill(): Promise<void>;
  /** Starts it again on the same port. @returns when it listens */
  start(): Promise<void>;
  close(): Promise<void>;
}

const CANDIDATES = [process.env["JANUS_PATH"], "/usr/bin/janus", "/opt/janus/bin/janus"];
/** Path of the program; undefined when it is not installed. */
export const janusPath = CANDIDATES.find((path) => path !== undefined && existsSync(path));
export const NO_JANUS = "Janus is not installed (Debian: apt-get install janus)";

/** The machine's address, else the loopback address. */
export const hostAddress = (): string =>
  Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find((a) => a.family === "IPv4" && !a.internal)?.address ?? "127.0.0.1";

export const JANUS_SECRET = "test-secret-of-janus";

/** Starts Janus. @param given port of its WebSocket; omitted: a free one */
export async function startJanus(given?: number): Promise<JanusProcess> {
  if (janusPath === undefined) throw new Error(NO_JANUS);
  const path = janusPath;
  const dir = mkdtempSync(join(tmpdir(), "janus-"));
  const port = given ?? (await freePort());
  const interfaceName =
    Object.entries(networkInterfaces()).find(([, all]) =>
      all?.some((a) => a.address === hostAddress()),
    )?.[0] ?? "lo";
  writeFileSync(
    join(dir, "janus.jcfg"),
    `general: { configs_folder = "${dir}", debug_level = 2, api_secret = "${JANUS_SECRET}", log_to_stdout = true }
nat: { ice_enforce_list = "${interfaceName}", ignore_mdns = true, full_trickle = false, nice_debug = false }
media: { rtp_port_range = "20000-40000", ipv6 = false }
plugins: { disable = "libjanus_audiobridge.so,libjanus_duktape.so,libjanus_echotest.so,libjanus_lua.so,libjanus_nosip.so,libjanus_recordplay.so,libjanus_sip.so,libjanus_streaming.so,libjanus_textroom.so,libjanus_videocall.so,libjanus_voicemail.so" }
transports: { disable = "libjanus_http.so,libjanus_mqtt.so,libjanus_nanomsg.so,libjanus_pfunix.so,libjanus_rabbitmq.so" }
`,
  );
  writeFileSync(
    join(dir, "janus.transport.websockets.jcfg"),
    `general: { json = "compact", ws = true, ws_port = ${port}, ws_ip = "127.0.0.1" }\n`,
  );
  writeFileSync(join(dir, "janus.plugin.videoroom.jcfg"), "general: { string_ids = true }\n");
  let child: ChildProcess | null = null;

  const start = async (): Promise<void> => {
    child = spawn(path, ["-F", dir, "-C", join(dir, "janus.jcfg")], { stdio: "ignore" });
    const end = Date.now() + 15_000;
    while (!(await listens(port))) {
      if (Date.now() > end) throw new Error("Janus did not come up");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const kill = async (): Promise<void> => {
    const current = child;
    child = null;
    if (current === null || current.exitCode !== null || current.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => current.once("exit", () => resolve()));
    current.kill("SIGKILL");
    await gone;
  };
  await start();
  return {
    url: `ws://127.0.0.1:${port}`,
    secret: JANUS_SECRET,
    get pid() {
      return child?.pid ?? 0;
    },
    kill,
    start,
    async close() {
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function listens(port: number): Promise<boolean> {
  const { connect } = await import("node:net");
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
