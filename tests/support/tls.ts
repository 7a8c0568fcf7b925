/** Certificates of proxies under test, which no authority signed. */
import { spawnSync } from "node:child_process";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";

/** Paths of two files. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** Makes a certificate for this machine in the folder. */
export function makeCertificate(folder: string): Certificate {
  const made = { certificate: join(folder, "site.pem"), key: join(folder, "site.key") };
  const subject = [
    "-subj",
    "/CN=localhost",
    "-addext",
    "subjectAltName=DNS:localhost,IP:127.0.0.1",
  ];
  const files = ["-keyout", made.key, "-out", made.certificate];
  const kind = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  const { status, stderr } = spawnSync("openssl", [...kind, "-nodes", ...subject, ...files]);
  if (status !== 0) throw new Error(`openssl made no certificate:\n${stderr.toString()}`);
  return made;
}

/** Whether anything answers there, whatever the answer and the certificate are. */
export function answers(origin: string): Promise<boolean> {
  const ask = origin.startsWith("https:") ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const asking = ask(origin, { rejectUnauthorized: false, agent: false }, (response) => {
      response.resume();
      resolve(true);
    });
    asking.on("error", () => resolve(false));
    asking.end();
  });
}
