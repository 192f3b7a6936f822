function() { return {names: Array.from(this.files, file => file.name), multiple: this.multiple, disabled: this.disabled}; }
