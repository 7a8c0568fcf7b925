/**
 * The SDK takes the end of its token, which is a time of the server, for a time of this machine. A machine whose clock is ahead by more
 * than the token's life would close the connection in the moment of the login, again and again.
 */

export interface TokenKeeper {
  /** End of the token, ms since the epoch by the server's clock. The SDK sets it before it begins to count. */
  readonly expirationTime?: number | undefined;
  /** @param ms until the token ends, as the SDK computed it */
  tokenExpireTimeCountDown?(ms: number): void;
}

/** From now on this connection counts the life of its token by the server's clock. */
export function countByServerTime(connection: TokenKeeper, serverNow: () => number): void {
  const count = connection.tokenExpireTimeCountDown;
  if (count === undefined) return;
  connection.tokenExpireTimeCountDown = (ms) => {
    const end = connection.expirationTime;
    count.call(connection, end === undefined ? ms : Math.max(0, end - serverNow()));
  };
}
