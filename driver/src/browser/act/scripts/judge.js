// Whether what changed since an act changes by itself.
function(...question) { return watch.judge(...question); }
