function() { return this.read(); }
