/**
 * The SDK sends delivery receipts by itself and drops their promises: one that a lost socket cuts off would come up as an
 * unhandled rejection of the whole worker. It is no fault: the other side learns of the delivery with the next receipt.
 */

interface Sender {
  send(message: object): Promise<unknown>;
}

const isReceipt = (message: object): boolean => "type" in message && message.type === "delivery";

/** From now on a failed receipt of this connection is nobody's error; every other send fails as before. */
export function forgiveLostReceipts(connection: Sender): void {
  const send = connection.send;
  connection.send = (message) => {
    const sent = send.call(connection, message);
    if (isReceipt(message)) sent.catch(() => undefined);
    return sent;
  };
}
