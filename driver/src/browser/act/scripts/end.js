function() { this.end(); }
