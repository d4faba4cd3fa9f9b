// Holds the connection to `ksys-docs serve` for all tabs of a browser: HTTP/1.1 allows six to a host, and each tab with one of its own would soon
// leave none for pages. Where there are no shared workers, each tab starts this as a worker of its own.
{
  // Milliseconds until a connection that was given up is tried again, and until a lost one is worth telling.
  const AGAIN = 1000, LOST = 2000;

  const tabs = new Set();
  let source, again, lost, report = null, stopped = false;

  const tell = (tab) => tab.postMessage({ report, stopped });

  function heard() {
    clearTimeout(lost);
    lost = undefined;
    const changed = stopped;
    stopped = false;
    return changed;
  }

  function connect() {
    clearTimeout(again);
    source = new EventSource("/.live/events");
    source.onopen = () => { if (heard()) tabs.forEach(tell); };
    source.onmessage = ({ data }) => {
      heard();
      report = JSON.parse(data);
      tabs.forEach(tell);
    };
    source.onerror = () => {
      lost ??= setTimeout(() => {
        stopped = true;
        tabs.forEach(tell);
      }, LOST);
      // Otherwise it tries by itself.
      if (source.readyState === EventSource.CLOSED) again = setTimeout(connect, AGAIN);
    };
  }

  function disconnect() {
    clearTimeout(again);
    source?.close();
    source = undefined;
    heard();
    // What was true then may not be true when somebody looks again.
    report = null;
  }

  // A tab says "hello" when it wants to know, also when it comes back from the browser's memory of pages, and "bye" when it goes.
  globalThis.onconnect = globalThis.onmessage = ({ ports: [tab] }) => {
    tab.onmessage = ({ data }) => {
      if (data === "bye") {
        tabs.delete(tab);
        if (!tabs.size) disconnect();
        return;
      }
      tabs.add(tab);
      if (!source) connect();
      else if (report || stopped) tell(tab);
    };
  };
}
