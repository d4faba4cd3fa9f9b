// Holds the connection to `ksys-docs serve` for all tabs of a browser. With HTTP/1.1, browsers open at most six connections to a host, so one for
// each tab would soon leave none for pages. Without shared workers, each tab starts this as a separate worker.
{
  // Milliseconds until a closed connection is opened again, and until a lost one is reported.
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
      // In any other state the browser reconnects by itself.
      if (source.readyState === EventSource.CLOSED) again = setTimeout(connect, AGAIN);
    };
  }

  function disconnect() {
    clearTimeout(again);
    source?.close();
    source = undefined;
    heard();
    // The report may be outdated when a tab connects again.
    report = null;
  }

  // A tab sends "hello" when it opens or returns from the back/forward cache, and "bye" when it is left.
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
