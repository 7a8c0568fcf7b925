/**
 * The requests of the server. A client may offer another protocol with any request (`Upgrade: h2c` of Java clients and monitors). The
 * server speaks websocket alone, and ignores every other offer: it answers as ever (RFC 9110, 7.8).
 */
import { IncomingMessage } from "node:http";

/**
 * Node takes a request out of HTTP when this property is true and 'upgrade' has a listener, whatever protocol the client offers. It asks
 * the property in all versions; `shouldUpgradeCallback`, the option for this, exists only since Node 22.21.
 */
export class ConsoleRequest extends IncomingMessage {
  // Only declared: the constructor of IncomingMessage sets `upgrade` before a field of this class would exist.
  declare private offered: boolean | null;

  get upgrade(): boolean {
    const { upgrade } = this.headers;
    const ours = this.method === "CONNECT" || upgrade?.trim().toLowerCase() === "websocket";
    return this.offered === true && ours;
  }

  set upgrade(offered: boolean | null) {
    this.offered = offered;
  }
}
