//go:build !axpress_pkgconfig

package axpress

// The static library of this checkout. What stands behind it is what rustc asks for: `--print native-static-libs`.

/*
#cgo CFLAGS: -I${SRCDIR}/../../include
#cgo LDFLAGS: ${SRCDIR}/../../target/release/libaxpress.a
#cgo linux LDFLAGS: -lgcc_s -lutil -lrt -lpthread -lm -ldl
*/
import "C"
