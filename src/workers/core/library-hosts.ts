/**
 * Where the library finds the platform (docs/conferences.md#addresses): a name service lists hosts, the first that answers is used, and
 * a deploy configuration replaces single addresses. What was found is kept for the next core, which continues a conference at once.
 */
import { addressRewrites, type AddressRewrites } from "../../shared/domain/address-rewrites.ts";
import { AppError } from "../../shared/errors.ts";
import type { LibraryConfig } from "../../shared/protocol/library.ts";
import {
  CONFR_REST,
  type DeployConfig,
  deployConfigSchema,
  hostsSchema,
} from "../../shared/protocol/rest/confr.ts";
import { z } from "../../shared/zod.ts";
import type { CoreEnv, Kv } from "./contracts.ts";
import type { Transport } from "./http/index.ts";
import type { WireRequest } from "./http/transport.ts";

/** ms in which one host has to answer. */
const HOST_MS = 5_000;
const keptSchema = z.object({ origin: z.string(), deploy: deployConfigSchema });

export interface LibraryHosts {
  /** Reads what an earlier core has found. */
  restore(): Promise<void>;
  /**
   * Finds the platform, unless it is known.
   *
   * @throws AppError server.unavailable: no host answers
   */
  locate(): Promise<void>;
  /** Origin of the platform; before it is found that of the configuration. */
  origin(): string;
  rewrites(): AddressRewrites;
  /** The platform did not answer: the next request finds a host again. */
  lost(): void;
}

export interface LibraryHostsDeps {
  readonly config: Pick<LibraryConfig, "origin" | "provider" | "appkey" | "dnsHosts" | "deployUrl">;
  readonly kv: Kv;
  /** Sends to absolute addresses. */
  readonly transport: Transport;
  readonly log: CoreEnv["log"];
}

export function createLibraryHosts({ config, kv, transport, log }: LibraryHostsDeps): LibraryHosts {
  const { provider, appkey, dnsHosts = [], deployUrl } = config;
  const [org = "", app = ""] = appkey.split("#");
  /** Of this configuration: pages of several may share an origin. */
  const key = `hosts ${JSON.stringify([provider, appkey, dnsHosts, deployUrl ?? null])}`;
  let origin = config.origin;
  let deploy: DeployConfig = {};
  let rewrites = addressRewrites(deploy);
  let isKnown = dnsHosts.length === 0 && deployUrl === undefined;
  let finding: Promise<void> | null = null;

  const request = (id: string, more: Omit<WireRequest, "id" | "headers">) =>
    transport({ id, headers: {}, timeout: HOST_MS, ...more });

  /** Any answer of the host will do: nobody has this name and this password. */
  const answers = async (host: string): Promise<boolean> => {
    const body = { grant_type: "password", username: "", password: "", timestamp: 0 };
    const path = `${host}/${encodeURIComponent(org)}/${encodeURIComponent(app)}/token`;
    try {
      await request("library.reach", { method: "POST", path, body });
      return true;
    } catch (error) {
      const status = AppError.from(error).details?.["status"];
      return typeof status === "number" && status < 500;
    }
  };
  const hostsOf = async (dnsHost: string): Promise<string[]> => {
    const answer = await request("library.hosts", {
      method: "GET",
      path: dnsHost + CONFR_REST.hosts(provider),
      query: { app_key: appkey },
    });
    // A host without TLS would read the token on its way.
    return hostsSchema
      .parse(answer)
      .rest.hosts.filter(({ protocol }) => protocol === "https")
      .map(({ domain }) => `https://${domain}`);
  };
  const findOrigin = async (): Promise<string> => {
    for (const dnsHost of dnsHosts) {
      try {
        for (const host of await hostsOf(dnsHost)) {
          if (await answers(host)) return host;
          log("conferences", "warn", `${host} does not answer`);
        }
      } catch (error) {
        log("conferences", "warn", `${dnsHost} names no hosts: ${AppError.from(error).message}`);
      }
    }
    throw new AppError("server.unavailable");
  };
  const readDeploy = async (url: string): Promise<DeployConfig> => {
    try {
      return deployConfigSchema.parse(
        await request("library.deploy", { method: "GET", path: url }),
      );
    } catch (error) {
      // The configuration is optional. Addresses stay as they are.
      log("conferences", "warn", `no deploy configuration: ${AppError.from(error).message}`);
      return deploy;
    }
  };
  const use = (found: { readonly origin: string; readonly deploy: DeployConfig }): void => {
    ({ origin, deploy } = found);
    rewrites = addressRewrites(deploy);
    isKnown = true;
  };
  const find = async (): Promise<void> => {
    const found = {
      origin: dnsHosts.length === 0 ? config.origin : await findOrigin(),
      deploy: deployUrl === undefined ? {} : await readDeploy(deployUrl),
    };
    use(found);
    await kv.set(key, found);
  };

  return {
    async restore() {
      if (isKnown) return;
      const kept = keptSchema.safeParse(await kv.get(key).catch(() => undefined));
      if (kept.success) use(kept.data);
    },
    locate() {
      if (isKnown) return Promise.resolve();
      finding ??= find().finally(() => (finding = null));
      return finding;
    },
    origin: () => origin,
    rewrites: () => rewrites,
    lost() {
      if (dnsHosts.length > 0) isKnown = false;
    },
  };
}
