function() { return element(this).matches(':hover'); }
