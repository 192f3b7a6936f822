function() { return named(this); }
