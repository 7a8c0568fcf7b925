/**
 * The SDK sends delivery receipts itself and drops their promises, so a receipt that is lost with its socket would become an
 * unhandled rejection of the worker. It is harmless: the next receipt reports the delivery to the other side.
 */

interface Sender {
  send(message: object): Promise<unknown>;
}

const isReceipt = (message: object): boolean => "type" in message && message.type === "delivery";

/** Ignores failed receipts of this connection from now on; every other send fails as before. */
export function forgiveLostReceipts(connection: Sender): void {
  const send = connection.send;
  connection.send = (message) => {
    const sent = send.call(connection, message);
    if (isReceipt(message)) sent.catch(() => undefined);
    return sent;
  };
}
