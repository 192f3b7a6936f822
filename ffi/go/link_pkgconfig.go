//go:build axpress_pkgconfig

package axpress

// The library that `make install` put on this machine.

/*
#cgo pkg-config: axpress
*/
import "C"
