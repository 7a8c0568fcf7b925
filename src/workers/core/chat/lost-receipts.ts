/**
 * The SDK sends delivery receipts itself and drops their promises, so a receipt that a lost socket cuts off would be an unhandled
 * rejection of the worker. Nothing is wrong then: the other side learns of the delivery with the next receipt.
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
