/** A person presses 重试: code that could not be loaded is requested now (retrying.ts hears it). */
export const retryNow = (): void => void dispatchEvent(new Event("retry-code"));
