function() { return contents(this); }
