/** coturn with a shared secret, as the server's TURN_URL and TURN_SECRET expect it. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

const TURNSERVER = "/usr/bin/turnserver";

/** The reason why there is no coturn here, or null. */
export const noTurn = existsSync(TURNSERVER) ? null : "coturn is not installed here";

export interface Turn {
  stop(): void;
}

/** Listens on UDP and TCP. @param given.address of this machine, for clients and for what is relayed */
export async function startTurn(given: {
  readonly address: string;
  readonly port: number;
  readonly secret: string;
}): Promise<Turn> {
  const { address, port, secret } = given;
  const turn = spawn(
    TURNSERVER,
    [
      "-n",
      "--use-auth-secret",
      `--static-auth-secret=${secret}`,
      "--realm=test",
      "--no-tls",
      "--no-dtls",
      "--no-cli",
      "--allow-loopback-peers",
      `--listening-ip=${address}`,
      `--relay-ip=${address}`,
      `--listening-port=${port}`,
      "--log-file=stdout",
      "--pidfile=",
    ],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  await new Promise<void>((resolve, reject) => {
    turn.stdout.on("data", (chunk: Buffer) => {
      if (/listener opened|IO method|Relay address to use/i.test(chunk.toString())) resolve();
    });
    turn.once("exit", () => reject(new Error("coturn ended at its start")));
  });
  return { stop: () => void turn.kill("SIGKILL") };
}
