// A step back or forward that came before the scripts: the address is another than that of this page, and htmx did not
// see it change. The page of the address is fetched, as htmx does for every other step.

const bare = (address) => address.split("#")[0];
const [loaded] = performance.getEntriesByType("navigation");
if (loaded && !loaded.redirectCount && bare(loaded.name) !== bare(location.href)) location.reload();
