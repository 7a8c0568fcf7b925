/** `scheduler` does not exist in every browser yet. */
interface TaskScheduler {
  postTask(task: () => void): Promise<void>;
}

/**
 * @returns a function that yields to the event loop. A timer would wait 4 ms or more; a task or a message lets only those in that
 * were queued before it.
 */
export function createPause(): () => Promise<void> {
  const { scheduler } = globalThis as { scheduler?: TaskScheduler };
  if (scheduler !== undefined) return () => scheduler.postTask(() => undefined);
  const channel = new MessageChannel();
  const waiting: (() => void)[] = [];
  channel.port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      channel.port2.postMessage(null);
    });
}
